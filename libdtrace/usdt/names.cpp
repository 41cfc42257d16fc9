// Converts names of user probes between C and D.
#include "libdtrace/usdt/names.hpp"

#include "dcompiler/sema/probe_names.hpp"

namespace dt::usdt {
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
