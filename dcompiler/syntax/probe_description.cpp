// Parses probe descriptions. If components are missing, they are missing on the left, so the description is split into
// components before they are interpreted.
#include "dcompiler/syntax/parser.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/syntax/token.hpp"

namespace dt::syntax {

namespace {

struct Component {
    std::string ast::ProbeDesc::*member;
    std::size_t longest;
};

constexpr Component kComponents[] = {
    {&ast::ProbeDesc::provider, 63},
    {&ast::ProbeDesc::module, 63},
    {&ast::ProbeDesc::function, 127},
    {&ast::ProbeDesc::name, 63},
};

constexpr std::size_t kLongestPath = 4096; // maximum length of a component's text, such as pid@/usr/bin/shop

// Returns the maximum number of components in a description for this kind of option. It is also the position of the
// last component.
std::size_t most_components(SpecKind kind)
{
    switch (kind) {
    case SpecKind::Provider:
        return 1;
    case SpecKind::Module:
        return 2;
    case SpecKind::Function:
        return 3;
    default:
        return 4;
    }
}

std::vector<std::string_view> split(std::string_view text)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t colon = text.find(':');
        parts.push_back(text.substr(0, colon));
        if (colon == std::string_view::npos)
            return parts;
        text.remove_prefix(colon + 1);
    }
}

// A function of a process may have a name with "::", such as shop::Item::sell, which looks like several components.
// Joins them. The module may be missing: pid$target:shop::Item::sell:entry.
void join_function(std::string_view text, std::size_t most, std::vector<std::string_view>& parts)
{
    constexpr std::size_t kModule = 1, kFunction = 2;
    if (parts.size() <= most || most <= kFunction)
        return;
    const std::size_t last = most - 1 > kFunction ? parts.size() - 2 : parts.size() - 1;
    const bool has_module = !parts[kFunction].empty();
    const char* const begin = has_module || parts[kModule].empty() ? parts[kFunction].data() : parts[kModule].data();
    const std::string_view function(begin, static_cast<std::size_t>(parts[last].data() + parts[last].size() - begin));
    std::vector<std::string_view> joined{parts.front(), has_module ? parts[kModule] : text.substr(0, 0), function};
    joined.insert(joined.end(), parts.begin() + static_cast<std::ptrdiff_t>(last) + 1, parts.end());
    parts = std::move(joined);
}

// component = TEXT [ "$" [ "$" ] ( digits TEXT | name ) ]
std::optional<std::string> expand(std::string_view component, MacroTable& macros)
{
    const std::size_t dollar = component.find('$');
    if (dollar == std::string_view::npos)
        return std::string(component);
    const std::string prefix(component.substr(0, dollar));
    std::string_view rest = component.substr(dollar + 1);
    if (rest.substr(0, 1) == "$")
        rest.remove_prefix(1);
    if (rest.empty() || !is_digit(rest[0])) {
        const auto value = macros.named(rest);
        return value ? std::optional(prefix + std::to_string(*value)) : std::nullopt;
    }
    std::size_t number = 0;
    for (; !rest.empty() && is_digit(rest[0]); rest.remove_prefix(1))
        number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(rest[0] - '0'), 1U << 30);
    // If an argument $N of the script is missing, it is replaced by "0", because an empty component would match
    // everything.
    const auto argument = macros.argument(number, "0");
    return argument ? std::optional(prefix + *argument + std::string(rest)) : std::nullopt;
}

Error invalid(std::string_view text, std::string_view reason)
{
    return Error{"invalid probe description \"" + std::string(text) + "\": " + std::string(reason)};
}

} // namespace

Result<ast::ProbeDesc> parse_description(std::string_view text, SpecKind kind, MacroTable& macros)
{
    const std::size_t most = most_components(kind);
    auto parts = split(text);
    if (kind != SpecKind::Provider && text.starts_with("pid"))
        join_function(text, most, parts);
    if (parts.size() > most)
        return invalid(text, "Overspecified probe description");
    ast::ProbeDesc result;
    result.text = text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Component& component = kComponents[most - parts.size() + i];
        const auto value = expand(parts[i], macros);
        if (!value && parts[i].find("$target") != std::string_view::npos)
            return invalid(text, "Undefined macro variable in probe description: $target needs -c COMMAND or -p PID");
        if (!value)
            return invalid(text, "Undefined macro variable in probe description");
        const bool is_long = value->find('@') != std::string::npos || value->find("::") != std::string::npos;
        const std::size_t longest = is_long ? kLongestPath : component.longest;
        if (value->size() > longest)
            return invalid(text,
                           "Probe description component is longer than " + std::to_string(longest) + " characters");
        result.*component.member = *value;
    }
    return result;
}

} // namespace dt::syntax
