// The D library: definitions that are available to every program but rarely used. A file of it is compiled only if the
// program uses one of its names, so one-liners do not pay for it.
//
// The files serve all kernels. The first line of each lists its names: `/* defines: NAME … */`. A line that begins with
// `?STRUCT.MEMBER` applies only to kernels whose struct has that member, and one with `!STRUCT.MEMBER` only to the
// others.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dt::sema {

struct LibraryFile {
    std::string_view name; ///< "process.d"
    std::string_view text;
};

/// Returns dcompiler/library/*.d, embedded at build time.
std::span<const LibraryFile> library_files();

/// Returns the file that defines `name`, or null.
const LibraryFile* find_library_file(std::string_view name);

/// Returns every name that one of the files defines.
std::vector<std::string_view> library_names();

/// Returns the text for a kernel, without lines for other kernels. Line numbers are preserved.
std::string text_for_kernel(std::string_view text,
                            const std::function<bool(std::string_view record, std::string_view member)>& has_member);

} // namespace dt::sema
