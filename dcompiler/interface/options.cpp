// Implements the table options.def, and the handlers of options that do more than store one value.
#include "dcompiler/interface/options.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cstdlib>
#include <iterator>

namespace dt {
namespace {

const char* set_aggsize(CompileOptions& options, OptionText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadOptionValue;
    options.aggsize = *size;
    options.aggsize_set = true;
    return nullptr;
}

const char* set_cost(CompileOptions& options, OptionText text)
{
    const bool on = !text || equal_fold(*text, "on");
    const auto every = on || equal_fold(*text, "off") ? 0 : parse_time(*text);
    if (!every || (!on && !equal_fold(*text, "off") && *every == 0))
        return kBadOptionValue;
    options.cost = on || *every != 0;
    options.cost_every = *every;
    return nullptr;
}

/// Reads the values of option maxcost: "5%" (of the machine), "0.5cpu", or a number without unit, which is a percentage
/// of one CPU as in other DTraces.
const char* set_maxcost(CompileOptions& options, OptionText text)
{
    static constexpr std::string_view kCpu = "cpu";
    constexpr double kPercent = 100, kMaxCpus = 1 << 20;
    if (!text)
        return kBadOptionValue;
    const std::size_t end = std::min(text->find_first_not_of("0123456789."), text->size());
    // uses std::strtod(), because std::from_chars() for double would make the program depend on libm
    const std::string number(text->substr(0, end));
    char* rest = nullptr;
    const double value = std::strtod(number.c_str(), &rest);
    if (*rest != '\0' || !(value > 0))
        return kBadOptionValue;
    const std::string_view unit = text->substr(end);
    const bool is_cpus = equal_fold(unit, kCpu);
    if ((!is_cpus && !unit.empty() && unit != "%") || value > (is_cpus ? kMaxCpus : kPercent))
        return kBadOptionValue;
    options.maxcost = is_cpus ? value : unit.empty() ? value / kPercent : -value / kPercent;
    return nullptr;
}

/// Sets option pin. The name becomes a file name in the BPF file system, which allows no dots.
const char* set_pin(CompileOptions& options, OptionText text)
{
    constexpr std::size_t kMax = 64;
    const auto is_fit = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; };
    if (!text || text->empty() || text->size() > kMax || !std::all_of(text->begin(), text->end(), is_fit))
        return kBadOptionValue;
    options.pin = *text;
    return nullptr;
}

const char* set_dynvarsize(CompileOptions& options, OptionText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadOptionValue;
    options.dynvarsize = *size;
    options.dynvarsize_set = true;
    return nullptr;
}

const char* set_pcapsize(CompileOptions& options, OptionText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadOptionValue;
    options.pcapsize = *size == 0 || *size > 65535 ? kWholePacket : (*size + 7) & ~uint64_t{7};
    return nullptr;
}

const char* set_printsize(CompileOptions& options, OptionText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadOptionValue;
    options.printsize = *size == 0 || *size > 65536 ? kPrintBytes : (*size + 7) & ~uint64_t{7};
    return nullptr;
}

const char* set_kdefs(CompileOptions& options, OptionText)
{
    options.knodefs = false;
    return nullptr;
}

const char* set_udefs(CompileOptions& options, OptionText)
{
    options.unodefs = false;
    return nullptr;
}

/// Returns the enumerator for a word of an attribute triple such as Stable/Private/Common, in any case, or nothing if
/// the word is unknown.
template <typename Enum, std::size_t N>
std::optional<Enum> attribute_word(std::string_view text, const std::array<std::string_view, N>& names)
{
    for (std::size_t i = 0; i < N; ++i)
        if (equal_fold(text, names[i]))
            return static_cast<Enum>(i);
    return {};
}

const char* set_amin(CompileOptions& options, OptionText text)
{
    static constexpr std::array<std::string_view, 8> kStabilities = {"Internal", "Private",  "Obsolete", "External",
                                                                     "Unstable", "Evolving", "Stable",   "Standard"};
    static constexpr std::array<std::string_view, 6> kClasses = {"Unknown", "CPU", "Platform",
                                                                 "Group",   "ISA", "Common"};
    if (!text || text->empty())
        return kBadOptionValue;
    // If the attribute triple has fewer than three words, the missing ones at the end keep these defaults.
    Attributes attributes{Stability::Standard, Stability::Standard, DependencyClass::Common};
    std::string_view rest = *text;
    for (int part = 0; !rest.empty(); ++part) {
        const std::string_view word = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        const auto stability = attribute_word<Stability>(word, kStabilities);
        const auto dependency = attribute_word<DependencyClass>(word, kClasses);
        if (part > 2 || (part == 2 ? !dependency : !stability))
            return kBadOptionValue;
        if (part == 2)
            attributes.dependency = *dependency;
        else
            (part == 0 ? attributes.name : attributes.data) = *stability;
    }
    options.amin = attributes;
    return nullptr;
}

/// Parses a version such as "1.6.2" to a number of the form MMmmmuuu (hexadecimal). Its three parts have at most 8, 12
/// and 12 bits.
std::optional<uint32_t> parse_version(std::string_view text)
{
    static constexpr struct {
        unsigned shift;
        uint64_t most;
    } kParts[] = {{24, 0xff}, {12, 0xfff}, {0, 0xfff}};
    uint32_t version = 0;
    for (const auto& part : kParts) {
        const std::string_view digits = text.substr(0, text.find('.'));
        if (digits.empty() ||
            !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }) ||
            digits.size() > 4)
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

const char* set_version(CompileOptions& options, OptionText text)
{
    static constexpr std::string_view kKnown[] = {"1.0", "1.1", "1.2",   "1.2.1", "1.2.2", "1.3",   "1.4", "1.4.1",
                                                  "1.5", "1.6", "1.6.1", "1.6.2", "1.6.3", "1.6.4", "2.0"};
    const auto version = text ? parse_version(*text) : std::nullopt;
    if (!version)
        return "Version is not properly formatted or is too large";
    const bool known = std::any_of(std::begin(kKnown), std::end(kKnown),
                                   [&](std::string_view name) { return parse_version(name) == version; });
    if (!known)
        return "Requested version is not supported by compiler";
    options.version = *version;
    return nullptr;
}

constexpr std::string_view kDynvarPolicies[] = {"drop", "lru"};
constexpr std::string_view kFollowChildren[] = {"fork", "exec", "none"};
// The verifier allows offsets in a map's value only up to 512 MiB.
constexpr uint64_t kMaxFrames = 1u << 16, kMaxScratch = 1u << 28;

constexpr OptionRow<CompileOptions> kCompileTable[] = {
#define DT_OPTION(name, type, initial, syntax, kind, user, bounds, text)                                               \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, text}, &CompileOptions::name},
#define DT_HANDLED(name, syntax, handler, kind, user, bounds, text)                                                    \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, text}, handler},
#include "dcompiler/interface/options.def"
};

} // namespace

std::span<const OptionRow<CompileOptions>> compile_options()
{
    return kCompileTable;
}

Result<void> OptionSet::set(std::string_view name, OptionText value, OptionSource source)
{
    const auto* const row = find_option(compile_options(), name);
    return row ? set_option(*row, compile_, value, source) : Error{kBadOption};
}

void OptionSet::put(std::string_view name, OptionText value)
{
    [[maybe_unused]] const Result<void> done = set(name, value, OptionSource::CommandLine);
    assert(done.ok());
}

std::optional<uint64_t> printsize_by_setopt(std::string_view name, std::string_view value)
{
    OptionSet changed;
    if (name != "printsize" || !changed.set(name, value, OptionSource::Setopt))
        return {};
    return changed.compile().printsize;
}

} // namespace dt
