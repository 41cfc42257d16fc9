// The D library: text that defines names every program has but few use. A file of it is compiled when a name it defines
// is used, so that a one-liner that uses none parses none.
//
// One set of files serves all kernels. The first line of each tells what it defines: `/* defines: NAME … */`. A line
// that begins with
// `?STRUCT.MEMBER` is there only for kernels whose struct has that member, one with `!STRUCT.MEMBER` only for the
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

/// dcompiler/library/*.d, embedded when the compiler is built.
std::span<const LibraryFile> library_files();

/// The file that defines `name`, or null.
const LibraryFile* find_library_file(std::string_view name);

/// Every name that one of the files defines.
std::vector<std::string_view> library_names();

/// The text as it is for a kernel: without the lines that are for others. Line numbers stay.
std::string text_for_kernel(std::string_view text,
                            const std::function<bool(std::string_view record, std::string_view member)>& has_member);

} // namespace dt::sema
