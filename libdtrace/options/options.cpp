// Tables of the options that the compiler does not read, and functions that parse option values with a special syntax.
#include "libdtrace/options/options.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "dcompiler/interface/option_rows.hpp"
#include "dcompiler/interface/suggest.hpp"
#include "dcompiler/interface/thread_names.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

// how a value of -x aggevery ends, such as "10s,clear", in the order of the enumerators of AfterShown
constexpr std::string_view kAggevery[] = {"", ",clear", ",trunc"};
// Names of the values of BufferPolicy, in the order of its enumerators.
constexpr std::string_view kBufpolicy[] = {"switch", "fill", "ring"};
constexpr std::string_view kBufresize[] = {"auto", "manual"};
constexpr std::string_view kSandbox[] = {"service", "always", "never"};
constexpr std::string_view kEvaltime[] = {"exec", "preinit", "postinit", "main"};
constexpr std::string_view kErrors[] = {"text", "json"};
constexpr auto kSortParts = [] {
    std::array<std::string_view, std::size(kTimeParts)> names;
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = kTimeParts[i].name;
    return names;
}();
constexpr std::string_view kEscape[] = {"auto", "on", "off"};
constexpr std::string_view kFormats[] = {
#define DT_OUTPUT_FORMAT(enumerator, name, flags) #name,
#include "libdtrace/options/output_formats.def"
#undef DT_OUTPUT_FORMAT
};
constexpr std::string_view kSchemas[] = {"sqlite", "duckdb", "parquet", "clickhouse"};
constexpr std::string_view kDebugassert[] = {"mutexes"};
constexpr std::string_view kLate[] = {"dynamic", "static"};
constexpr std::string_view kLinkmode[] = {"kernel", "static", "dynamic"};

// ---- options of a run ---------------------------------------------------------------------------------------------

/// Sets option aggevery. Accepts "10s", "10s,clear" or "10s,trunc".
const char* set_aggevery(RunOptions& options, OptionText text)
{
    const std::size_t comma = text ? std::min(text->find(','), text->size()) : 0;
    const auto time = text ? parse_time(text->substr(0, comma)) : std::nullopt;
    const std::string_view then = text ? text->substr(comma) : std::string_view();
    const auto found = std::find(std::begin(kAggevery), std::end(kAggevery), then);
    if (!time || found == std::end(kAggevery))
        return kBadOptionValue;
    options.aggevery = *time;
    options.aggevery_then = static_cast<AfterShown>(found - std::begin(kAggevery));
    return nullptr;
}

const char* set_bufsize(RunOptions& options, OptionText text)
{
    const auto size = text ? parse_size(*text) : 0;
    if (!size)
        return kBadOptionValue;
    options.bufsize = *size;
    options.bufsize_set = true;
    return nullptr;
}

const char* set_bufpolicy(RunOptions& options, OptionText text)
{
    const auto found = text ? std::find(std::begin(kBufpolicy), std::end(kBufpolicy), *text) : std::end(kBufpolicy);
    if (found == std::end(kBufpolicy))
        return kBadOptionValue;
    options.bufpolicy = static_cast<BufferPolicy>(found - std::begin(kBufpolicy));
    return nullptr;
}

const char* set_cppargs(RunOptions& options, OptionText text)
{
    if (!text)
        return kBadOptionValue;
    for (std::string_view rest = *text; !rest.empty();) {
        const auto end = std::min(rest.find_first_of(" \t"), rest.size());
        if (end != 0)
            options.cppargs.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return nullptr;
}

const char* set_estimate(RunOptions& options, OptionText text)
{
    const auto time = text ? parse_time(*text) : options.estimate_time;
    if (!time || *time == 0)
        return kBadOptionValue;
    options.estimate = true;
    options.estimate_time = *time;
    return nullptr;
}

const char* set_linktype(RunOptions& options, OptionText text)
{
    if (!text || (!equal_fold(*text, "elf") && !equal_fold(*text, "dof")))
        return kBadOptionValue;
    options.linktype = equal_fold(*text, "elf") ? "elf" : "dof";
    return nullptr;
}

const char* set_lockmem(RunOptions& options, OptionText text)
{
    const auto size = text == std::string_view("unlimited") ? UINT64_MAX : text ? parse_size(*text) : std::nullopt;
    if (!size)
        return kBadOptionValue;
    options.lockmem = *size;
    return nullptr;
}

/// Sets the option for rotation. Accepts "100m", "100m,5", "1d,7" or "100m,5,1d": first a size or an age, then the
/// number of files, then an age.
const char* set_rotate(RunOptions& options, OptionText text)
{
    constexpr uint64_t kMaxFiles = 1000;
    std::optional<uint64_t> size, files, age;
    std::string_view rest = text.value_or(std::string_view());
    for (bool is_first = true, is_last = false; !is_last; is_first = false) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view part = rest.substr(0, comma);
        const auto number = parse_number(part);
        std::optional<uint64_t>& field = is_first && parse_size(part) ? size : number ? files : age;
        const auto value = &field == &size ? parse_size(part) : number ? number : parse_time(part);
        if (field || !value || *value == 0 || (is_first && &field == &files))
            return kBadOptionValue;
        field = value;
        is_last = comma == rest.size();
        rest.remove_prefix(is_last ? comma : comma + 1);
    }
    if (files.value_or(0) > kMaxFiles)
        return kBadOptionValue;
    options.rotate_size = size.value_or(0);
    options.rotate_age = age.value_or(0);
    options.rotate_files = files.value_or(RunOptions().rotate_files);
    return nullptr;
}

const char* set_stdc(RunOptions& options, OptionText text)
{
    if (!text || text->size() != 1 || std::string_view("acst").find((*text)[0]) == std::string_view::npos)
        return kBadOptionValue;
    options.stdc = (*text)[0];
    return nullptr;
}

constexpr OptionRow<RunOptions> kRunTable[] = {
#define DT_OPTION(name, type, initial, syntax, kind, user, bounds, text)                                               \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, text}, &RunOptions::name},
#define DT_HANDLED(name, syntax, handler, kind, user, bounds, text)                                                    \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, text}, handler},
#include "libdtrace/options/run_options.def"
};

// ---- options of the printed output --------------------------------------------------------------------------------

const char* set_diag(PrintOptions& options, OptionText text)
{
    if (!text || (*text != "brief" && *text != "full"))
        return kBadOptionValue;
    options.diag_brief = *text == "brief";
    return nullptr;
}

const char* set_droptags(PrintOptions& options, OptionText)
{
    options.droptags = true; // only the presence of the option counts; its value is ignored
    return nullptr;
}

const char* set_errors(PrintOptions& options, OptionText text)
{
    if (!text || (*text != "text" && *text != "json"))
        return kBadOptionValue;
    options.errors_json = *text == "json";
    return nullptr;
}

bool is_label_name(std::string_view name)
{
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return !name.empty() && kLetters.find(name.front()) != std::string_view::npos &&
           name.find_first_not_of(std::string(kLetters) + "0123456789") == std::string_view::npos;
}

/// Sets option labels. Accepts "team=web,env=prod". Each name may occur only once.
const char* set_labels(PrintOptions& options, OptionText text)
{
    Labels labels;
    for (std::string_view rest = text.value_or(std::string_view()); !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size()), is = rest.find('=');
        if (is == std::string_view::npos || is > end || !is_label_name(rest.substr(0, is)) || end == rest.size() - 1)
            return kBadOptionValue;
        const std::string name(rest.substr(0, is));
        if (std::any_of(labels.begin(), labels.end(), [&](const auto& label) { return label.first == name; }))
            return kBadOptionValue;
        labels.emplace_back(name, rest.substr(is + 1, end - is - 1));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!text || labels.empty())
        return kBadOptionValue;
    options.labels = std::move(labels);
    return nullptr;
}

const char* set_format(PrintOptions& options, OptionText text)
{
    const auto found = text ? std::find(std::begin(kFormats), std::end(kFormats), *text) : std::end(kFormats);
    if (found == std::end(kFormats))
        return kBadOptionValue;
    options.format = static_cast<OutputFormat>(found - std::begin(kFormats));
    return nullptr;
}

/// Sets option otlp, a URL, and with it the output format otlp.
const char* set_otlp(PrintOptions& options, OptionText text)
{
    std::string_view url = text.value_or(std::string_view());
    while (url.ends_with('/'))
        url.remove_suffix(1);
    const std::size_t host = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : url.size();
    if (host >= url.size())
        return kBadOptionValue;
    options.otlp = url;
    options.format = OutputFormat::Otlp;
    return nullptr;
}

constexpr OptionRow<PrintOptions> kPrintTable[] = {
#define DT_OPTION(name, type, initial, syntax, kind, user, bounds, text)                                               \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, text}, &PrintOptions::name},
#define DT_HANDLED(name, syntax, handler, kind, user, bounds, text)                                                    \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, text}, handler},
#include "libdtrace/options/print_options.def"
};

// ---- options that are accepted and ignored -----------------------------------------------------------------------

struct UnreadOptions {};

const char* check_iregs(UnreadOptions&, OptionText text)
{
    const auto number = text ? parse_number(*text) : std::nullopt;
    if (!number || *number == 0 || *number > 8)
        return kBadOptionValue;
    return *number == 8 ? nullptr : "Insufficient registers to generate code";
}

constexpr OptionRow<UnreadOptions> kUnreadTable[] = {
#define DT_NO_EFFECT(name, syntax, kind, user, bounds)                                                                 \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, "no effect in this implementation"},    \
     NoEffect{}},
#define DT_NOT_YET(name, syntax, kind, user, bounds)                                                                   \
    {{#name, OptionSyntax::syntax, OptionKind::kind, OptionUser::user, bounds, "not supported in this version"},       \
     NotYet{}},
#include "libdtrace/options/unread_options.def"
    {{"iregs", OptionSyntax::Special, OptionKind::Compile, OptionUser::Anyone, kNoBounds,
      "no effect in this implementation"},
     check_iregs},
};

/// Calls `use` with each table of options.
template <typename Use> void each_table(Use use)
{
    use(compile_options());
    use(std::span<const OptionRow<RunOptions>>(kRunTable));
    use(std::span<const OptionRow<PrintOptions>>(kPrintTable));
    use(std::span<const OptionRow<UnreadOptions>>(kUnreadTable));
}

} // namespace

Result<void> Options::set(std::string_view name, OptionText value, OptionSource source)
{
    if (const auto* const row = find_option<RunOptions>(kRunTable, name))
        return set_option(*row, run_, value, source);
    if (const auto* const row = find_option<PrintOptions>(kPrintTable, name)) {
        Result<void> set = set_option(*row, print_, value, source);
        record_threads((row_of(print_.format).flags & kFormatOfThreads) != 0);
        return set;
    }
    UnreadOptions none;
    if (const auto* const row = find_option<UnreadOptions>(kUnreadTable, name))
        return set_option(*row, none, value, source);
    return OptionSet::set(name, value, source);
}

const OptionHead* Options::find(std::string_view name)
{
    const OptionHead* found = nullptr;
    each_table([&](auto rows) {
        if (const auto* const row = find_option(rows, name))
            found = row;
    });
    return found;
}

namespace {

/// Returns the name of the option that accepts `word` as a value. Returns an empty string if no option or several
/// options accept it.
std::string option_with_value(std::string_view word)
{
    std::string found;
    for (const std::string_view name : Options::names()) {
        const auto words = Options::find(name)->bounds.words;
        if (std::find(words.begin(), words.end(), word) == words.end())
            continue;
        if (!found.empty())
            return {};
        found = name;
    }
    return found;
}

} // namespace

std::string Options::meant(std::string_view name)
{
    if (const OptionHead* const option = find(name)) {
        const OptionBounds& bounds = option->bounds;
        std::string values(bounds.values);
        for (const std::string_view word : bounds.words)
            values += (values.empty() ? "one of " : ", ") + std::string(word);
        return values.empty() && bounds.high != UINT64_MAX
                   ? (bounds.low > 0 ? "from " + std::to_string(bounds.low) + " to " : "at most ") +
                         std::to_string(bounds.high)
                   : values;
    }
    if (const std::string option = option_with_value(name); !option.empty())
        return "did you mean -x " + option + "=" + std::string(name) + "?";
    Nearest nearest(name);
    for (const std::string_view known : names())
        nearest.add(known);
    return nearest.question("-x ");
}

std::vector<std::string_view> Options::names()
{
    std::vector<std::string_view> names;
    each_table([&](auto rows) {
        for (const OptionHead& row : rows)
            names.push_back(row.name);
    });
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace dt
