// Stability attributes: their text, their order, and those of a probe description (dtrace-language(7), STABILITY).
#include <algorithm>
#include <array>
#include <cctype>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

constexpr std::array<std::string_view, 8> kStabilities = {"Internal", "Private",  "Obsolete", "External",
                                                          "Unstable", "Evolving", "Stable",   "Standard"};
constexpr std::array<std::string_view, 6> kClasses = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

bool same_ignoring_case(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
               return std::tolower(x) == std::tolower(y);
           });
}

template <typename Value, std::size_t N>
bool parse_part(const std::array<std::string_view, N>& names, std::string_view& text, Value& value)
{
    const std::size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    text = slash == std::string_view::npos ? std::string_view{} : text.substr(slash + 1);
    if (part.empty())
        return true; // a missing component keeps the maximum
    for (std::size_t i = 0; i < N; ++i)
        if (same_ignoring_case(names[i], part)) {
            value = static_cast<Value>(i);
            return true;
        }
    return false;
}

bool is_pattern(const std::string& component)
{
    return component.empty() || component.find_first_of("*?[") != std::string::npos;
}

constexpr Attributes kUnstable{Stability::Unstable, Stability::Unstable, DependencyClass::Common};
constexpr ProviderAttributes kUndefined{kUnstable, kUnstable, kUnstable, kUnstable, kUnstable};

} // namespace

std::string to_string(const Attributes& a)
{
    return std::string(kStabilities[static_cast<std::size_t>(a.name)]) + "/" +
           std::string(kStabilities[static_cast<std::size_t>(a.data)]) + "/" +
           std::string(kClasses[static_cast<std::size_t>(a.dependency)]);
}

std::optional<Attributes> parse_attributes(std::string_view text)
{
    Attributes made = kMaximum;
    if (text.empty() || !parse_part(kStabilities, text, made.name) || !parse_part(kStabilities, text, made.data) ||
        !parse_part(kClasses, text, made.dependency) || !text.empty())
        return std::nullopt;
    return made;
}

Attributes minimum(const Attributes& a, const Attributes& b)
{
    return {std::min(a.name, b.name), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}

bool below(const Attributes& a, const Attributes& least)
{
    return a.name < least.name || a.data < least.data || a.dependency < least.dependency;
}

Attributes description_attributes(const ProviderAttributes* provider, const ast::ProbeDesc& d)
{
    if (!provider)
        provider = &kUndefined;
    Attributes made = is_pattern(d.provider) ? kUnstable : provider->provider;
    const std::pair<const std::string*, const Attributes*> parts[] = {
        {&d.module, &provider->module}, {&d.function, &provider->function}, {&d.name, &provider->name}};
    for (const auto& [component, part] : parts)
        if (!is_pattern(*component))
            made = minimum(made, *part);
    return made;
}

bool arguments_unstable(const ProviderAttributes* provider, const ast::ProbeDesc& d, std::size_t matched)
{
    if (matched <= 1)
        return false;
    if (!provider)
        provider = &kUndefined;
    if (is_pattern(d.provider) && provider->args.data < Stability::Evolving)
        return true;
    const auto open = [](const std::string& component, const Attributes& part) {
        return part.name >= Stability::Evolving && is_pattern(component);
    };
    return open(d.module, provider->module) || open(d.function, provider->function) || open(d.name, provider->name);
}

std::optional<uint32_t> parse_version(std::string_view text)
{
    // Known versions of the language (dtrace(8), version), packed like CompileOptions::version.
    constexpr std::string_view known[] = {"1.0", "1.1", "1.2",   "1.2.1", "1.2.2", "1.3",   "1.4", "1.4.1",
                                          "1.5", "1.6", "1.6.1", "1.6.2", "1.6.3", "1.6.4", "2.0"};
    if (std::find(std::begin(known), std::end(known), text) == std::end(known))
        return std::nullopt;
    uint32_t parts[3] = {0, 0, 0};
    std::size_t part = 0;
    for (char c : text) {
        if (c == '.')
            ++part;
        else
            parts[part] = parts[part] * 10 + static_cast<uint32_t>(c - '0');
    }
    return parts[0] << 24 | parts[1] << 12 | parts[2];
}

} // namespace dt::sema
