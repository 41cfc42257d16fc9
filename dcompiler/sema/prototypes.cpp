// Parses prototypes such as "string (string, int, [int])": the result, then parameters; brackets mark optional ones,
// "@" is an aggregation, and "..." allows more arguments.
#include "dcompiler/sema/prototypes.hpp"

namespace dt::sema {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

Prototype parse_prototype(std::string_view text)
{
    Prototype made;
    const std::size_t open = text.find('(');
    made.result = trimmed(text.substr(0, open));
    std::string_view list = text.substr(open + 1, text.rfind(')') - open - 1);
    while (!trimmed(list).empty()) {
        const std::size_t comma = list.find(',');
        std::string_view parameter = trimmed(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
        if (parameter == "...") {
            made.variadic = true;
            continue;
        }
        Prototype::Parameter entry;
        if (parameter.front() == '[') {
            entry.optional = true;
            parameter = parameter.substr(1, parameter.size() - 2);
        }
        if (parameter != "@")
            entry.type = parameter;
        made.required += entry.optional ? 0 : 1;
        made.parameters.push_back(std::move(entry));
    }
    return made;
}

} // namespace

const Prototype& Prototypes::of(std::string_view text)
{
    const auto found = parsed_.find(text);
    return found != parsed_.end() ? found->second
                                  : parsed_.emplace(std::string(text), parse_prototype(text)).first->second;
}

} // namespace dt::sema
