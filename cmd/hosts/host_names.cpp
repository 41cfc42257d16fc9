#include "cmd/hosts/host_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace dt::cmd {
namespace {

std::optional<uint64_t> whole_number(std::string_view text)
{
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Splits at commas outside of brackets.
std::vector<std::string_view> between_commas(std::string_view text)
{
    std::vector<std::string_view> pieces;
    std::size_t begin = 0;
    bool in_bracket = false;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && (text[at] == '[' || text[at] == ']'))
            in_bracket = text[at] == '[';
        if (at == text.size() || (text[at] == ',' && !in_bracket)) {
            pieces.push_back(text.substr(begin, at - begin));
            begin = at + 1;
        }
    }
    return pieces;
}

/// Expands a range: "01-03" becomes 01, 02, 03.
std::vector<std::string> range_of(std::string_view range)
{
    const std::size_t dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const auto low = whole_number(first);
    const auto high = dash == std::string_view::npos ? low : whole_number(range.substr(dash + 1));
    std::vector<std::string> numbers;
    if (!low || !high || *high < *low || *high - *low >= kMostHosts)
        return numbers;
    for (uint64_t number = *low; number <= *high; ++number) {
        const std::string text = std::to_string(number);
        numbers.push_back(std::string(first.size() - std::min(first.size(), text.size()), '0') + text);
    }
    return numbers;
}

/// Returns false if the pattern is not valid.
bool add_host_names(std::string_view pattern, const std::string& before, std::vector<std::string>& names)
{
    const std::size_t open = pattern.find('['), close = pattern.find(']');
    if (open == std::string_view::npos && close == std::string_view::npos) {
        names.push_back(before + std::string(pattern));
        return names.size() <= kMostHosts && !names.back().empty();
    }
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return false;
    for (const std::string_view range : between_commas(pattern.substr(open + 1, close - open - 1))) {
        const std::vector<std::string> numbers = range_of(range);
        for (const std::string& number : numbers)
            if (!add_host_names(pattern.substr(close + 1), before + std::string(pattern.substr(0, open)) + number,
                                names))
                return false;
        if (numbers.empty())
            return false;
    }
    return true;
}

} // namespace

Result<std::vector<std::string>> host_names(std::string_view set)
{
    std::vector<std::string> names;
    if (set.find('@') != std::string_view::npos)
        return Error{"'" + std::string(set) + "' names a group: $(nodeset -e GROUP) are its hosts"};
    for (const std::string_view pattern : between_commas(set))
        if (!add_host_names(pattern, {}, names))
            return Error{"'" + std::string(set) + "' is no set of hosts, as web[01-40] or web1,db1 is"};
    return names;
}

} // namespace dt::cmd
