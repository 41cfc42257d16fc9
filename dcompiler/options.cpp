// The option table.
//
// Some eighty options come in from four places (environment, command line, pragma, setopt()) with different rights, and in a handful of
// value syntaxes with traps of their own: a compile-time flag takes no value, a run-time flag is not switched off by a numeric 0, a size
// has one suffix letter, a time has many. So each option is one row that names its kind, its value syntax and where it is stored, and the
// rules are written once.
#include "dcompiler/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <span>
#include <variant>

#include "dcompiler/suggest.hpp"

namespace dt {
namespace {

using Text = std::string_view;
using OptionalText = std::optional<Text>;

constexpr const char* kBadName = "Invalid option name";
constexpr const char* kBadValue = "Invalid value for specified option";
constexpr const char* kNotInProgram = "Option cannot be used from within a D program";
constexpr const char* kNotYet = "Option is not available in this version";
constexpr const char* kActive = "Operation illegal when tracing is active";

/// When an option may change: until the program is compiled, until tracing starts, always.
enum class Kind : uint8_t { Compile, Runtime, Dynamic };
constexpr Kind C = Kind::Compile, R = Kind::Runtime, D = Kind::Dynamic;

/// Another DTrace's tuning knob that scripts set and that has nothing to tune here: its value is checked, and the manual says so.
struct NoEffect {};

/// An option that would do something, but not in this version: setting it is refused rather than ignored.
struct NotYet {};

/// What a successful row does with the text; an error message, or null.
using Handler = const char* (*)(Options&, OptionalText);

using Target = std::variant<NoEffect, NotYet, bool Options::*, uint64_t Options::*, std::optional<uint64_t> Options::*, std::string Options::*,
                            std::vector<std::string> Options::*, Handler>;

enum class Value : uint8_t {
    Flag,   // C: no value at all; R and D: dtrace(8), RUN-TIME OPTIONS
    Number, // R and D: as a flag, kept as the number; C: a decimal, octal or hexadecimal number
    Size,
    Time,
    Text,    // any text, not left out
    Word,    // one of `words`
    Special, // the handler parses
};

struct Row {
    Text name;
    Value value;
    Kind kind;
    Target target;
    bool no_program = false;             ///< refused in a #pragma
    std::span<const Text> words = {};    ///< Word: what is accepted
    uint64_t low = 0, high = UINT64_MAX; ///< Number and Size: bounds of what is accepted
};

template <typename Range> bool one_of(Text text, const Range& words)
{
    return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

template <typename Range> bool one_of_any_case(Text text, const Range& words)
{
    return std::any_of(std::begin(words), std::end(words), [&](Text word) { return equal_fold(text, word); });
}

// ---- handlers: options whose effect is more than one stored value ------------------------------------------------

const char* set_bufsize(Options& options, OptionalText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadValue;
    options.bufsize = *size;
    options.bufsize_set = true;
    return nullptr;
}

const char* set_aggsize(Options& options, OptionalText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadValue;
    options.aggsize = *size;
    options.aggsize_set = true;
    return nullptr;
}

const char* set_dynvarsize(Options& options, OptionalText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadValue;
    options.dynvarsize = *size;
    options.dynvarsize_set = true;
    return nullptr;
}

constexpr uint64_t kWholePacket = 1520; ///< an Ethernet frame, rounded up to 8

const char* set_pcapsize(Options& options, OptionalText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadValue;
    options.pcapsize = *size == 0 || *size > 65535 ? kWholePacket : (*size + 7) & ~uint64_t{7};
    return nullptr;
}

constexpr uint64_t kPrintBytes = 8192;

const char* set_printsize(Options& options, OptionalText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadValue;
    options.printsize = *size == 0 || *size > 65536 ? kPrintBytes : (*size + 7) & ~uint64_t{7};
    return nullptr;
}

const char* set_lockmem(Options& options, OptionalText text)
{
    const auto size = text == Text("unlimited") ? UINT64_MAX : text ? parse_size(*text) : std::nullopt;
    if (!size)
        return kBadValue;
    options.lockmem = *size;
    return nullptr;
}

const char* set_cppargs(Options& options, OptionalText text)
{
    if (!text)
        return kBadValue;
    for (Text rest = *text; !rest.empty();) {
        const auto end = std::min(rest.find_first_of(" \t"), rest.size());
        if (end != 0)
            options.cppargs.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return nullptr;
}

const char* set_stdc(Options& options, OptionalText text)
{
    if (!text || text->size() != 1 || Text("acst").find((*text)[0]) == Text::npos)
        return kBadValue;
    options.stdc = (*text)[0];
    return nullptr;
}

const char* set_bufpolicy(Options& options, OptionalText text)
{
    static constexpr Text kNames[] = {"switch", "fill", "ring"}; // the order of BufferPolicy
    const auto found = text ? std::find(std::begin(kNames), std::end(kNames), *text) : std::end(kNames);
    if (found == std::end(kNames))
        return kBadValue;
    options.bufpolicy = static_cast<BufferPolicy>(found - std::begin(kNames));
    return nullptr;
}

constexpr Text kFormats[] = {
#define DT_OUTPUT_FORMAT(enumerator, name) #name,
#include "dcompiler/output_formats.def"
#undef DT_OUTPUT_FORMAT
};

const char* set_format(Options& options, OptionalText text)
{
    const auto found = text ? std::find(std::begin(kFormats), std::end(kFormats), *text) : std::end(kFormats);
    if (found == std::end(kFormats))
        return kBadValue;
    options.format = static_cast<OutputFormat>(found - std::begin(kFormats));
    return nullptr;
}

const char* set_linktype(Options& options, OptionalText text)
{
    if (!text || (!equal_fold(*text, "elf") && !equal_fold(*text, "dof")))
        return kBadValue;
    options.linktype = equal_fold(*text, "elf") ? "elf" : "dof";
    return nullptr;
}

const char* set_diag(Options& options, OptionalText text)
{
    if (!text || (*text != "brief" && *text != "full"))
        return kBadValue;
    options.diag_brief = *text == "brief";
    return nullptr;
}

constexpr Text kEscape[] = {"auto", "on", "off"};
constexpr Text kErrors[] = {"text", "json"};

const char* set_errors(Options& options, OptionalText text)
{
    if (!text || !one_of(*text, kErrors))
        return kBadValue;
    options.errors_json = *text == "json";
    return nullptr;
}

const char* set_droptags(Options& options, OptionalText)
{
    options.droptags = true; // any value is accepted
    return nullptr;
}

const char* set_kdefs(Options& options, OptionalText)
{
    options.knodefs = false;
    return nullptr;
}

const char* set_udefs(Options& options, OptionalText)
{
    options.unodefs = false;
    return nullptr;
}

const char* set_iregs(Options&, OptionalText text)
{
    const auto number = text ? parse_number(*text) : std::nullopt;
    if (!number || *number == 0 || *number > 8)
        return kBadValue;
    return *number == 8 ? nullptr : "Insufficient registers to generate code";
}

/// One word of an attribute triple, case does not matter; empty when unknown.
template <typename Enum, std::size_t N> std::optional<Enum> attribute_word(Text text, const std::array<Text, N>& names)
{
    for (std::size_t i = 0; i < N; ++i)
        if (equal_fold(text, names[i]))
            return static_cast<Enum>(i);
    return {};
}

const char* set_amin(Options& options, OptionalText text)
{
    static constexpr std::array<Text, 8> kStabilities = {"Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable", "Standard"};
    static constexpr std::array<Text, 6> kClasses = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};
    if (!text || text->empty())
        return kBadValue;
    Attributes attributes{Stability::Standard, Stability::Standard, DependencyClass::Common}; // what missing trailing parts mean
    Text rest = *text;
    for (int part = 0; !rest.empty(); ++part) {
        const Text word = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        const auto stability = attribute_word<Stability>(word, kStabilities);
        const auto dependency = attribute_word<DependencyClass>(word, kClasses);
        if (part > 2 || (part == 2 ? !dependency : !stability))
            return kBadValue;
        if (part == 2)
            attributes.dependency = *dependency;
        else
            (part == 0 ? attributes.name : attributes.data) = *stability;
    }
    options.amin = attributes;
    return nullptr;
}

/// "1.6.2" as MMmmmuuu, the parts limited to 8, 12 and 12 bits.
std::optional<uint32_t> parse_version(Text text)
{
    static constexpr struct {
        unsigned shift;
        uint64_t most;
    } kParts[] = {{24, 0xff}, {12, 0xfff}, {0, 0xfff}};
    uint32_t version = 0;
    for (const auto& part : kParts) {
        const Text digits = text.substr(0, text.find('.'));
        if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }) || digits.size() > 4)
            return {};
        uint32_t number = 0;
        for (const char c : digits)
            number = number * 10 + static_cast<uint32_t>(c - '0');
        if (number > part.most)
            return {};
        version |= number << part.shift;
        const bool last = digits.size() == text.size();
        text.remove_prefix(std::min(digits.size() + 1, text.size()));
        if (last)
            return version;
        if (text.empty())
            return {};
    }
    return {};
}

const char* set_version(Options& options, OptionalText text)
{
    static constexpr Text kKnown[] = {"1.0", "1.1", "1.2", "1.2.1", "1.2.2", "1.3", "1.4", "1.4.1", "1.5", "1.6", "1.6.1", "1.6.2", "1.6.3", "1.6.4", "2.0"};
    const auto version = text ? parse_version(*text) : std::nullopt;
    if (!version)
        return "Version is not properly formatted or is too large";
    const bool known = std::any_of(std::begin(kKnown), std::end(kKnown), [&](Text name) { return parse_version(name) == version; });
    if (!known)
        return "Requested version is not supported by compiler";
    options.version = *version;
    return nullptr;
}

// ---- the table ----------------------------------------------------------------------------------------------------

constexpr Text kBufresize[] = {"auto", "manual"};
constexpr Text kDebugassert[] = {"mutexes"};
constexpr Text kEvaltime[] = {"exec", "preinit", "postinit", "main"};
constexpr Text kFollow[] = {"fork", "exec", "none"};
constexpr Text kLate[] = {"dynamic", "static"};
constexpr Text kLinkmode[] = {"kernel", "static", "dynamic"};
constexpr bool kNoProgram = true;
constexpr uint64_t kMostFrames = 1u << 16, kMostScratch = 1u << 28; // the verifier follows an address as far as 512 MiB into a map's value

// clang-format off
constexpr Row kTable[] = {
    {"aggpack",       Value::Flag,    D, &Options::aggpack},
    {"agghist",       Value::Flag,    D, &Options::agghist},
    {"aggpercpu",     Value::Flag,    C, &Options::aggpercpu},
    {"aggrate",       Value::Time,    D, &Options::aggrate},
    {"aggsize",       Value::Special, R, set_aggsize},
    {"aggsortkey",    Value::Flag,    D, &Options::aggsortkey},
    {"aggsortkeypos", Value::Number,  D, &Options::aggsortkeypos},
    {"aggsortpos",    Value::Number,  D, &Options::aggsortpos},
    {"aggsortrev",    Value::Flag,    D, &Options::aggsortrev},
    {"aggzoom",       Value::Flag,    D, &Options::aggzoom},
    {"amin",          Value::Special, C, set_amin},
    {"argref",        Value::Flag,    C, &Options::argref},
    {"bpflog",        Value::Flag,    R, &Options::bpflog},
    {"bpflogsize",    Value::Size,    R, &Options::bpflogsize},
    {"bufpolicy",     Value::Special, R, set_bufpolicy},
    {"bufresize",     Value::Word,    R, &Options::bufresize, false, kBufresize},
    {"bufsize",       Value::Special, R, set_bufsize},
    {"cgroup",        Value::Text,    C, &Options::cgroup, kNoProgram},
    {"cleanrate",     Value::Time,    R, NoEffect{}},
    {"core",          Value::Flag,    C, &Options::core},
    {"cost",          Value::Flag,    R, NotYet{}},
    {"cpp",           Value::Flag,    C, &Options::cpp},
    {"cppargs",       Value::Special, C, set_cppargs, kNoProgram},
    {"cpphdrs",       Value::Flag,    C, &Options::cpphdrs, kNoProgram},
    {"cpppath",       Value::Text,    C, &Options::cpppath, kNoProgram},
    {"cpu",           Value::Number,  R, &Options::cpu},
    {"ctfpath",       Value::Text,    C, &Options::ctfpath, kNoProgram},
    {"ctypes",        Value::Text,    C, NotYet{}},
    {"debug",         Value::Flag,    C, &Options::debug},
    {"debugassert",   Value::Word,    C, NoEffect{}, false, kDebugassert},
    {"defaultargs",   Value::Flag,    C, &Options::defaultargs},
    {"define",        Value::Text,    C, &Options::define, kNoProgram},
    {"destructive",   Value::Flag,    R, &Options::destructive},
    {"diag",          Value::Special, C, set_diag},
    {"disasm",        Value::Number,  C, &Options::disasm},
    {"dofstashpath",  Value::Text,    C, NoEffect{}},
    {"droptags",      Value::Special, C, set_droptags},
    {"dtypes",        Value::Text,    C, NotYet{}},
    {"dynvarsize",    Value::Special, R, set_dynvarsize},
    {"empty",         Value::Flag,    C, &Options::empty},
    {"errors",        Value::Special, C, set_errors, false, kErrors},
    {"errtags",       Value::Flag,    C, &Options::errtags},
    {"escape",        Value::Word,    R, &Options::escape, false, kEscape},
    {"evaltime",      Value::Word,    C, &Options::evaltime, false, kEvaltime},
    {"fbtall",        Value::Flag,    C, &Options::fbtall, kNoProgram},
    {"firings",       Value::Flag,    R, &Options::firings},
    {"flameicicle",   Value::Flag,    R, &Options::flameicicle},
    {"flamesubtitle", Value::Text,    R, &Options::flamesubtitle},
    {"flametitle",    Value::Text,    R, &Options::flametitle},
    {"flameunit",     Value::Text,    R, &Options::flameunit},
    {"flowindent",    Value::Flag,    D, &Options::flowindent},
    {"follow",        Value::Word,    C, &Options::follow, kNoProgram, kFollow},
    {"format",        Value::Special, R, set_format, false, kFormats},
    {"grabanon",      Value::Flag,    R, NoEffect{}},
    {"incdir",        Value::Text,    C, &Options::incdir, kNoProgram},
    {"iregs",         Value::Special, C, set_iregs},
    {"jstackframes",  Value::Number,  R, NoEffect{}},
    {"jstackstrsize", Value::Size,    R, NoEffect{}},
    {"kdefs",         Value::Flag,    C, set_kdefs},
    {"knodefs",       Value::Flag,    C, &Options::knodefs},
    {"late",          Value::Word,    C, NoEffect{}, false, kLate},
    {"lazyload",      Value::Flag,    C, NoEffect{}},
    {"ldpath",        Value::Text,    C, NoEffect{}, kNoProgram},
    {"ledger",        Value::Flag,    R, NotYet{}},
    {"libdir",        Value::Text,    C, &Options::libdir},
    {"linkmode",      Value::Word,    C, NoEffect{}, false, kLinkmode},
    {"linknommap",    Value::Flag,    C, NoEffect{}},
    {"linktype",      Value::Special, C, set_linktype},
    {"lockmem",       Value::Special, R, set_lockmem, kNoProgram},
    {"maxcost",       Value::Number,  R, NotYet{}, false, {}, 1, 100},
    {"maxframes",     Value::Number,  R, &Options::maxframes, false, {}, 0, kMostFrames},
    {"memlimit",      Value::Size,    R, &Options::memlimit},
    {"modpath",       Value::Text,    C, &Options::modpath, kNoProgram},
    {"nolibs",        Value::Flag,    C, &Options::nolibs},
    {"noresolve",     Value::Flag,    R, &Options::noresolve},
    {"notes",         Value::Flag,    R, &Options::notes},
    {"nspec",         Value::Number,  R, &Options::nspec},
    {"opt",           Value::Number,  C, &Options::opt, false, {}, 0, 2},
    {"passes",        Value::Flag,    C, &Options::passes},
    {"pcapsize",      Value::Special, R, set_pcapsize},
    {"pgmax",         Value::Number,  C, NoEffect{}},
    {"preallocate",   Value::Size,    C, &Options::preallocate},
    {"printsize",     Value::Special, D, set_printsize},
    {"procfspath",    Value::Text,    C, &Options::procfspath, kNoProgram},
    {"pspec",         Value::Flag,    C, &Options::pspec},
    {"quiet",         Value::Flag,    D, &Options::quiet},
    {"quietresize",   Value::Flag,    D, &Options::quietresize},
    {"rawbytes",      Value::Flag,    D, &Options::rawbytes},
    {"save",          Value::Text,    C, &Options::save, kNoProgram},
    {"scratchsize",   Value::Size,    R, &Options::scratchsize, false, {}, 0, kMostScratch},
    {"specsize",      Value::Size,    R, &Options::specsize},
    {"srclines",      Value::Flag,    R, &Options::srclines},
    {"stackframes",   Value::Number,  R, &Options::stackframes, false, {}, 0, kMostFrames},
    {"stackindent",   Value::Number,  D, &Options::stackindent},
    {"statusrate",    Value::Time,    R, &Options::statusrate},
    {"stdc",          Value::Special, C, set_stdc, kNoProgram},
    {"strip",         Value::Flag,    C, NoEffect{}},
    {"strsize",       Value::Size,    R, &Options::strsize, false, {}, 2, UINT32_MAX},
    {"switchrate",    Value::Time,    D, &Options::switchrate},
    {"syslibdir",     Value::Text,    C, &Options::syslibdir},
    {"sysslice",      Value::Text,    C, NoEffect{}},
    {"temporal",      Value::Flag,    R, &Options::temporal},
    {"timing",        Value::Flag,    R, &Options::timing},
    {"top",           Value::Flag,    R, &Options::top},
    {"tree",          Value::Number,  C, &Options::tree, false, {}, 1},
    {"tregs",         Value::Number,  C, NoEffect{}, false, {}, 1},
    {"udefs",         Value::Flag,    C, set_udefs},
    {"undef",         Value::Text,    C, &Options::undef, kNoProgram},
    {"unodefs",       Value::Flag,    C, &Options::unodefs},
    {"ustackframes",  Value::Number,  R, &Options::ustackframes, false, {}, 0, kMostFrames},
    {"useruid",       Value::Number,  C, NoEffect{}},
    {"verbose",       Value::Flag,    C, &Options::verbose},
    {"version",       Value::Special, C, set_version},
    {"wallclock",     Value::Flag,    R, &Options::wallclock},
    {"zdefs",         Value::Flag,    C, &Options::zdefs},
};
// clang-format on

const Row* find_row(Text name)
{
    const auto found = std::find_if(std::begin(kTable), std::end(kTable), [&](const Row& row) { return row.name == name; });
    return found == std::end(kTable) ? nullptr : found;
}

// ---- storing ------------------------------------------------------------------------------------------------------

/// What a run-time flag or number says: on with a number, or unset.
struct Switch {
    bool on = true;
    uint64_t number = 0;
};

std::optional<Switch> parse_switch(OptionalText text)
{
    static constexpr Text kOn[] = {"yes", "enable", "enabled", "true", "on", "set"};
    static constexpr Text kOff[] = {"no", "disable", "disabled", "false", "off", "unset", ""};
    if (!text || one_of_any_case(*text, kOn))
        return Switch{};
    if (one_of_any_case(*text, kOff))
        return Switch{false, 0};
    if (const auto number = parse_number(*text))
        return Switch{true, *number};
    return {};
}

const char* store_number(const Row& row, Options& options, uint64_t number)
{
    if (number < row.low || number > row.high)
        return kBadValue;
    if (const auto* field = std::get_if<uint64_t Options::*>(&row.target))
        options.*(*field) = number;
    else if (const auto* optional = std::get_if<std::optional<uint64_t> Options::*>(&row.target))
        options.*(*optional) = number;
    return nullptr;
}

const char* unset_number(const Row& row, Options& options)
{
    const Options defaults;
    if (const auto* field = std::get_if<uint64_t Options::*>(&row.target))
        options.*(*field) = defaults.*(*field);
    else if (const auto* optional = std::get_if<std::optional<uint64_t> Options::*>(&row.target))
        options.*(*optional) = defaults.*(*optional);
    return nullptr;
}

const char* set_flag(const Row& row, Options& options, OptionalText text)
{
    if (row.kind == Kind::Compile && text)
        return kBadValue;
    const auto parsed = parse_switch(text);
    if (!parsed)
        return kBadValue;
    if (const auto* field = std::get_if<bool Options::*>(&row.target))
        options.*(*field) = parsed->on;
    else if (const auto* handler = std::get_if<Handler>(&row.target))
        return (*handler)(options, text);
    return nullptr;
}

const char* set_number(const Row& row, Options& options, OptionalText text)
{
    if (row.kind == Kind::Compile) {
        const auto number = text ? parse_number(*text) : std::nullopt;
        return number ? store_number(row, options, *number) : kBadValue;
    }
    const auto parsed = parse_switch(text);
    if (!parsed)
        return kBadValue;
    return parsed->on ? store_number(row, options, parsed->number) : unset_number(row, options);
}

const char* set_text(const Row& row, Options& options, OptionalText text)
{
    if (!text || (row.value == Value::Word && !one_of(*text, row.words)))
        return kBadValue;
    if (const auto* field = std::get_if<std::string Options::*>(&row.target))
        options.*(*field) = *text;
    else if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&row.target))
        (options.*(*list)).emplace_back(*text);
    return nullptr;
}

const char* set_value(const Row& row, Options& options, OptionalText text)
{
    switch (row.value) {
    case Value::Flag:
        return set_flag(row, options, text);
    case Value::Number:
        return set_number(row, options, text);
    case Value::Size:
    case Value::Time: {
        if (!text && row.kind == Kind::Compile)
            return kBadValue;
        const auto number = !text ? 0 : row.value == Value::Size ? parse_size(*text) : parse_time(*text);
        return number ? store_number(row, options, *number) : kBadValue;
    }
    case Value::Text:
    case Value::Word:
        return set_text(row, options, text);
    case Value::Special:
        return std::get<Handler>(row.target)(options, text);
    }
    return kBadName;
}

} // namespace

std::string Options::meant(std::string_view name)
{
    const Row* row = find_row(name);
    if (row) {
        std::string values;
        for (const Text word : row->words)
            values += (values.empty() ? "one of " : ", ") + std::string(word);
        return values.empty() && row->high != UINT64_MAX ? (row->low > 0 ? "from " + std::to_string(row->low) + " to " : "at most ") + std::to_string(row->high)
                                                         : values;
    }
    Nearest nearest(name);
    for (const std::string_view known : names())
        nearest.add(known);
    return nearest.question("-x ");
}

std::vector<std::string_view> Options::names()
{
    std::vector<std::string_view> names;
    for (const Row& row : kTable)
        names.push_back(row.name);
    return names;
}

Result<void> Options::set(std::string_view name, std::optional<std::string_view> value, OptionSource source)
{
    static constexpr Text kYes[] = {"", "1", "yes", "on", "true"}, kNo[] = {"0", "no", "off", "false"};
    const Row* row = find_row(name);
    if (!row)
        return Error{kBadName};
    if (source == OptionSource::Pragma && row->no_program)
        return Error{kNotInProgram};
    if (source == OptionSource::Setopt && row->kind != Kind::Dynamic)
        return Error{kActive};
    if (std::holds_alternative<NotYet>(row->target))
        return Error{kNotYet};
    // An environment variable always has a value: for a compile-time flag some spellings of "yes" stand for having none,
    // and those of "no" for no variable.
    if (source == OptionSource::Environment && row->kind == Kind::Compile && row->value == Value::Flag && value) {
        if (one_of(*value, kNo))
            return {};
        if (one_of(*value, kYes))
            value.reset();
    }
    if (const char* refusal = set_value(*row, *this, value))
        return Error{refusal};
    return {};
}

} // namespace dt
