#include "base/linkage.hpp"

namespace dt {

std::string missing_library(std::string_view what_needs_it, std::string_view library, std::string_view debian_package)
{
    const std::string needs = std::string(what_needs_it) + " needs " + std::string(library);
    if (is_static())
        return needs + ", which this static executable cannot load: use a package of dtrace or a build from source";
    return needs + ", which is not installed (Debian: " + std::string(debian_package) + ")";
}

} // namespace dt
