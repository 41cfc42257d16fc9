// Compares names of functions with the forms that demanglers, debuggers and the runtimes of languages print.
#include "libdtrace/elf/function_pattern.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "libdtrace/elf/demangle.hpp"

namespace dt {
namespace {

bool is_hexadecimal(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Returns the position after the brackets that begin at `at`, or `at` if there is no closing bracket.
std::size_t end_of_brackets(std::string_view text, std::size_t at)
{
    int depth = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        if (text[i] == '>' && i > 0 && text[i - 1] == '-')
            continue; // this ">" is part of the arrow before the result of a function type, not a bracket
        depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return at;
}

/// Returns the position after "[abi:cxx11]" or after the hash of a crate, "[0123456789abcdef]", at `at`. Returns `at`
/// if there is neither.
std::size_t end_of_tag(std::string_view text, std::size_t at)
{
    constexpr std::size_t kShortestHash = 8;
    const std::size_t end = text.find(']', at);
    if (text[at] != '[' || end == std::string_view::npos)
        return at;
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    return inside.starts_with("abi:") || (inside.size() >= kShortestHash && is_hexadecimal(inside)) ? end + 1 : at;
}

std::string without_tags(std::string_view name)
{
    std::string result;
    for (std::size_t i = 0; i < name.size();) {
        if (const std::size_t end = end_of_tag(name, i); end != i)
            i = end;
        else
            result += name[i++];
    }
    return result;
}

/// Removes the hash at the end of a Rust name of the old form, "::h0123456789abcdef", which stack traces may contain.
std::string_view without_hash(std::string_view name)
{
    constexpr std::size_t kHash = 16;
    const std::size_t at = name.rfind("::h");
    const bool has_hash =
        at != std::string_view::npos && name.size() == at + 3 + kHash && is_hexadecimal(name.substr(at + 3));
    return has_hash ? name.substr(0, at) : name;
}

/// Returns the glob in the form of demangled names: "::" instead of Rust's "..", without hashes and tags, and with the
/// demangler's blanks between template arguments.
std::string demangled_form(std::string_view glob)
{
    std::string form = without_tags(without_hash(glob));
    for (std::size_t at = form.find(".."); at != std::string::npos; at = form.find("..", at + 2))
        form.replace(at, 2, "::");
    return form;
}

/// Returns whether a name contains template arguments or parameters.
bool has_arguments(std::string_view name)
{
    constexpr std::string_view kNameless = "(anonymous namespace)";
    for (std::size_t at = name.find_first_of("<("); at != std::string_view::npos; at = name.find_first_of("<(", at)) {
        if (!name.substr(at).starts_with(kNameless))
            return true;
        at += kNameless.size();
    }
    return false;
}

std::string without_spaces(std::string text)
{
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

/// Returns whether an operator's name, such as operator<<, precedes position `at`.
bool follows_operator(std::string_view text, std::size_t at)
{
    constexpr std::string_view kOperator = "operator";
    while (at > 0 && std::string_view("<>-=").find(text[at - 1]) != std::string_view::npos)
        --at;
    return text.substr(0, at).ends_with(kOperator);
}

} // namespace

std::string plain_function_name(std::string_view demangled)
{
    std::string result;
    for (std::size_t i = 0; i < demangled.size();) {
        const std::size_t tag = end_of_tag(demangled, i);
        const std::size_t end =
            demangled[i] == '<' && !follows_operator(demangled, i) ? end_of_brackets(demangled, i) : i;
        if (tag != i) {
            i = tag;
        } else if (end == i) {
            result += demangled[i++];
        } else {
            std::string_view inside = demangled.substr(i + 1, end - i - 2);
            if (i == 0) // keeps the type of a method, as in <T as Trait>::method
                result += plain_function_name(inside.substr(0, inside.find(" as ")));
            else if (result.ends_with("::"))
                // removes the "::" before brackets, as in name::<T> or module::<impl Trait for T>::method
                result.resize(result.size() - 2);
            else if (result.ends_with(' '))
                result.pop_back(); // operator<< <T>
            i = end;
        }
    }
    return result;
}

FunctionPattern::FunctionPattern(std::string_view glob)
    : glob_(glob), demangled_(demangled_form(glob)),
      is_plain_(glob.find_first_of("*?[\\ :<>(),") == std::string_view::npos &&
                glob.find("..") == std::string_view::npos),
      has_arguments_(has_arguments(demangled_))
{
    if (has_arguments_)
        demangled_ = without_spaces(demangled_);
}

bool FunctionPattern::matches(const std::string& symbol) const
{
    if (glob_match(glob_, symbol))
        return true;
    // A mangled name contains each identifier of the source name. So if the glob is an identifier, only symbols that
    // contain it can match.
    if (!symbol.starts_with('_') || (is_plain_ && symbol.find(glob_) == std::string::npos))
        return false;
    const std::string name = demangled_name(symbol), whole = demangled(symbol);
    if (glob_match(glob_, whole) || glob_match(glob_, name))
        return true;
    if (has_arguments_)
        return glob_match(demangled_, without_spaces(without_tags(whole))) ||
               glob_match(demangled_, without_spaces(without_tags(name)));
    return glob_match(demangled_, plain_function_name(name));
}

} // namespace dt
