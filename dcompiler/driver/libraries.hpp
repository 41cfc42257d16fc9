// Selection and order of D libraries, and the D library that is embedded in the compiler.
//
// Each library declares its dependencies with #pragma D depends_on. These pragmas are read before anything is compiled.
// So a library with a missing dependency adds no definitions.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/world.hpp"

namespace dt::sema {

/// A line #pragma D depends_on KIND NAME.
struct Dependency {
    std::string kind; ///< kind of dependency: "provider", "module" or "library"; the parser refuses others
    std::string name;
    Span at;
};

/// Returns the well-formed depends_on lines of a source text, in order. Their positions point into `source`.
std::vector<Dependency> find_dependencies(const Source& source);

/// Returns whether the name is a file of the classic default library. The compiler itself has the definitions of that
/// library, so dependencies on it are satisfied.
bool is_classic_library(std::string_view name);

/// Orders libraries so that dependencies come first, and otherwise keeps the given order. Omits libraries with missing
/// dependencies, and those that depend on omitted ones. A dependency names a file; if several libraries have that file
/// name, the one in the directory of the dependent library has priority. `with_classic` is set if the classic
/// default library is available. A circular dependency is reported in `diagnostics`; the result is then not usable.
std::vector<const Source*> order_libraries(const std::deque<Source>& libraries, World& world, bool with_classic,
                                           Diagnostics& diagnostics);

// A file of the embedded D library: definitions that are available to every program but rarely used. The file is
// compiled only if the program uses one of its names, so that other programs need no time for it.
//
// The embedded files serve all kernels. The first line of a file lists the names that it defines: `/* defines: NAME …
// */`. A line beginning with `?STRUCT.MEMBER` is only for kernels whose struct has the member. A line beginning with
// `!STRUCT.MEMBER` is for the others. `kernel.locked` and `kernel.readable`, in place of STRUCT.MEMBER, are properties
// of the kernel (frontend.cpp).

struct LibraryFile {
    std::string_view name; ///< file name, such as "process.d"
    std::string_view text;
};

/// Returns the files dcompiler/library/*.d, which are embedded at build time.
std::span<const LibraryFile> library_files();

/// Returns the embedded file that defines `name`, or null.
const LibraryFile* find_library_file(std::string_view name);

/// Returns all names that the embedded files define.
std::vector<std::string_view> library_names();

/// Returns the text of an embedded file for a kernel. Lines for other kernels become empty, so line numbers stay the
/// same.
std::string text_for_kernel(std::string_view text,
                            const std::function<bool(std::string_view record, std::string_view member)>& has_member);

} // namespace dt::sema
