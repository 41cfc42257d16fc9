// Which D libraries of a set can be compiled, and in which order: each says with #pragma D depends_on what must be
// there before it.
//
// The pragmas are looked for before anything is compiled, so that a library which cannot be used leaves no definitions
// behind.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/world.hpp"

namespace dt::sema {

/// #pragma D depends_on KIND NAME
struct Dependency {
    std::string kind; ///< "provider", "module", "library"; anything else is the parser's to refuse
    std::string name;
    Span at;
};

/// The well-formed depends_on lines of a text, in order. Spans point into `source`.
std::vector<Dependency> find_dependencies(const Source& source);

/// Is this a file of the classic default library? Its names are built into the compiler, so what depends on it may go
/// on.
bool is_classic_library(std::string_view name);

/// Orders libraries so that each comes after those it depends on, otherwise as they are given. One whose dependencies
/// are not all met is left out, and so is what depends on it. Libraries are known by their file names; of two with one
/// name the one in the same directory is meant. `with_classic`: the default library is there too. A circle of
/// dependencies is an error, told in `diagnostics`; the result is then useless.
std::vector<const Source*> order_libraries(const std::deque<Source>& libraries, World& world, bool with_classic,
                                           Diagnostics& diagnostics);

} // namespace dt::sema
