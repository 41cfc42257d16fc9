// Selection and order of D libraries, and the D library that is embedded in the compiler.
//
// Each library declares its dependencies with #pragma D depends_on. The pragmas are read before anything is compiled,
// so that a library that cannot be used adds no definitions.
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

/// Returns the well-formed depends_on lines of a source text, in order. Spans point into `source`.
std::vector<Dependency> find_dependencies(const Source& source);

/// Returns whether the name is a file of the classic default library. Its names are built into the compiler, so
/// dependencies on it are satisfied.
bool is_classic_library(std::string_view name);

/// Orders libraries so that dependencies come first, otherwise in the given order. Omits libraries with missing
/// dependencies, and libraries that depend on these. Libraries are identified by file name; among equal names, the file
/// in the directory of the dependent library has priority. `with_classic` says whether the classic default library is
/// available. A circular dependency is reported in `diagnostics`, and the result is then not usable.
std::vector<const Source*> order_libraries(const std::deque<Source>& libraries, World& world, bool with_classic,
                                           Diagnostics& diagnostics);

// A file of the embedded D library: definitions that are available to every program but rarely used. The file is
// compiled only if the program uses one of its names, so that other programs need no time for it.
//
// The embedded library files serve all kernels. The first line of each file lists its names: `/* defines: NAME … */`. A
// line that begins with `?STRUCT.MEMBER` applies only to kernels whose struct has that member. A line that begins with
// `!STRUCT.MEMBER` applies only to the other kernels. `kernel.locked` and `kernel.readable` stand for properties of the
// kernel (frontend.cpp).

struct LibraryFile {
    std::string_view name; ///< file name, such as "process.d"
    std::string_view text;
};

/// Returns dcompiler/library/*.d, embedded at build time.
std::span<const LibraryFile> library_files();

/// Returns the file that defines `name`, or null.
const LibraryFile* find_library_file(std::string_view name);

/// Returns all names that the files define.
std::vector<std::string_view> library_names();

/// Returns the library's text for a kernel, without lines for other kernels. Line numbers are preserved.
std::string text_for_kernel(std::string_view text,
                            const std::function<bool(std::string_view record, std::string_view member)>& has_member);

} // namespace dt::sema
