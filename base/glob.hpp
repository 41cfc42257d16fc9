// Shell globs for names.
#pragma once

#include <string_view>

namespace dt {

/// Returns whether `text` matches the glob (`* ? [set] [!set] \`). An empty pattern matches anything.
bool glob_match(std::string_view pattern, std::string_view text);

} // namespace dt
