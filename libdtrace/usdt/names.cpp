// Names of user probes in C and in D.
#include "libdtrace/usdt/names.hpp"

namespace dt::usdt {
namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to)
{
    std::string result;
    for (std::size_t at = 0, next; at < text.size(); at = next) {
        const std::size_t found = text.find(from, at);
        result += text.substr(at, found - at);
        next = found == std::string_view::npos ? text.size() : found + from.size();
        if (found != std::string_view::npos)
            result += to;
    }
    return result;
}

} // namespace

std::string underscored(std::string_view probe)
{
    return replaced(probe, "-", "__");
}

std::string dashed(std::string_view probe)
{
    return replaced(probe, "__", "-");
}

std::optional<SiteName> read_site_name(std::string_view symbol)
{
    const bool asks = symbol.starts_with(kEnabledPrefix);
    if (!asks && !symbol.starts_with(kFirePrefix))
        return std::nullopt;
    symbol.remove_prefix((asks ? kEnabledPrefix : kFirePrefix).size());
    const std::size_t between = symbol.find(kBetween);
    if (between == std::string_view::npos || between == 0 || between + kBetween.size() == symbol.size())
        return std::nullopt;
    return SiteName{std::string(symbol.substr(0, between)), dashed(symbol.substr(between + kBetween.size())), asks};
}

} // namespace dt::usdt
