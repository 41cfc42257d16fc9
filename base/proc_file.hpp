// Files of proc(5), whole, and the folder to look for them in. The process of a file may end between any two reads,
// which an iterator over the file's buffer would throw.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace dt {

/// As far as it can be read; empty when there is no such file.
inline std::string read_proc_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

/// Returns a thread of the process that has its memory: the process id itself, or the id of another thread when the
/// first one has ended before the process (docs/process-end.md). Returns the process id if no thread has memory.
int64_t thread_with_memory(const std::string& proc, int64_t pid);

/// Returns the folder that has the memory, the program and the root of a process: that of thread_with_memory().
std::string process_folder(const std::string& proc, int64_t pid);

} // namespace dt
