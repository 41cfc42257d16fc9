// Chooses the best of several names of one address, independent of the order of tables.
#pragma once

#include <string_view>
#include <tuple>

namespace dt {

/// Returns whether the first name is better: global before weak before local (lower binding), then fewer leading
/// underscores, then shorter, then alphabetically first.
inline bool is_better_name(std::string_view a, int a_binding, std::string_view b, int b_binding)
{
    const auto underscores = [](std::string_view name) { return name.substr(0, name.find_first_not_of('_')).size(); };
    return std::make_tuple(a_binding, underscores(a), a.size(), a) <
           std::make_tuple(b_binding, underscores(b), b.size(), b);
}

} // namespace dt
