// Reading of proc(5) files, and the folder to look for them in. A process may end between two reads; a stream iterator
// would throw then.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace dt {

/// Returns as much of the file as can be read, or an empty string if it does not exist.
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

/// Returns a path to the same file of a process: /proc/PID/map_files/… and /proc/PID/root/… lead through another thread
/// if the first one has ended meanwhile. Returns other paths unchanged.
std::string living_path(const std::string& path);

} // namespace dt
