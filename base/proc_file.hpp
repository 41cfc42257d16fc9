// Reads proc(5) files, and finds the folder of a process's living thread. A process may end between two reads.
// read_proc_file() then returns the part that was read so far, while a std::istreambuf_iterator would throw.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace dt {

/// Returns as much of a /proc file as can be read, or an empty string if the file does not exist.
inline std::string read_proc_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

/// Returns a thread through which the process's memory can be read: the process id itself, or the id of another thread
/// when the first one has ended before the process (docs/process-end.md). Returns the process id if no thread has
/// memory.
int64_t thread_with_memory(const std::string& proc, int64_t pid);

/// Returns the /proc folder of thread_with_memory(), which leads to the memory, the program and the root of the
/// process.
std::string process_folder(const std::string& proc, int64_t pid);

/// Returns a path that still works after the first thread of the process has ended: /proc/PID/map_files/… and
/// /proc/PID/root/… then lead through another thread. Returns other paths unchanged.
std::string living_path(const std::string& path);

} // namespace dt
