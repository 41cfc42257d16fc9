// Selection and order of D libraries. Each library declares its dependencies with #pragma D depends_on.
//
// The pragmas are read before anything is compiled, so that an unusable library leaves no definitions.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/world.hpp"

namespace dt::sema {

/// A line #pragma D depends_on KIND NAME.
struct Dependency {
    std::string kind; ///< "provider", "module", "library"; the parser refuses other kinds
    std::string name;
    Span at;
};

/// Returns the well-formed depends_on lines of a text, in order. Spans point into `source`.
std::vector<Dependency> find_dependencies(const Source& source);

/// Returns whether the name is a file of the classic default library. Its names are built into the compiler, so
/// dependencies on it are satisfied.
bool is_classic_library(std::string_view name);

/// Orders libraries so that dependencies come first, otherwise in the given order. Omits libraries with missing
/// dependencies, and libraries that depend on these. Libraries are identified by file name; among equal names the one
/// in the same directory has priority. `with_classic`: the default library is available. A circular dependency is
/// reported in `diagnostics`, and the result is then not usable.
std::vector<const Source*> order_libraries(const std::deque<Source>& libraries, World& world, bool with_classic,
                                           Diagnostics& diagnostics);

} // namespace dt::sema
