// Which of several names of one address stands for it: always the same, however tables are sorted.
#pragma once

#include <string_view>
#include <tuple>

namespace dt {

/// Is the first name the better one? Global before weak before local (a lower binding), then fewer leading underscores,
/// then shorter, then first in the alphabet.
inline bool is_better_name(std::string_view a, int a_binding, std::string_view b, int b_binding)
{
    const auto underscores = [](std::string_view name) { return name.substr(0, name.find_first_not_of('_')).size(); };
    return std::make_tuple(a_binding, underscores(a), a.size(), a) <
           std::make_tuple(b_binding, underscores(b), b.size(), b);
}

} // namespace dt
