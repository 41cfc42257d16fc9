#include "base/proc_file.hpp"

#include <dirent.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace dt {
namespace {

/// Returns whether the thread with this /proc folder has no memory, as a zombie or a kernel thread. Returns false if
/// that cannot be determined.
bool has_no_program(const std::string& folder)
{
    char target[1];
    return readlink((folder + "/exe").c_str(), target, sizeof target) < 0 && errno == ENOENT;
}

} // namespace

int64_t thread_with_memory(const std::string& proc, int64_t pid)
{
    const std::string process = proc + "/" + std::to_string(pid), tasks = process + "/task";
    DIR* const threads = has_no_program(process) ? opendir(tasks.c_str()) : nullptr;
    if (!threads)
        return pid;
    int64_t found = pid;
    for (const dirent* entry = readdir(threads); entry && found == pid; entry = readdir(threads)) {
        const int64_t thread = std::strtoll(entry->d_name, nullptr, 10);
        if (thread > 0 && thread != pid && !has_no_program(tasks + "/" + entry->d_name))
            found = thread;
    }
    closedir(threads);
    return found;
}

std::string process_folder(const std::string& proc, int64_t pid)
{
    return proc + "/" + std::to_string(thread_with_memory(proc, pid));
}

std::string living_path(const std::string& path)
{
    for (const char* const folder : {"/map_files/", "/root/"}) {
        const std::size_t end = path.find(folder);
        const std::size_t begin = end == std::string::npos || end == 0 ? end : path.rfind('/', end - 1);
        if (begin == std::string::npos || begin == end)
            continue;
        if (const int64_t pid = std::strtoll(path.c_str() + begin + 1, nullptr, 10); pid > 0)
            return process_folder(path.substr(0, begin), pid) + path.substr(end);
    }
    return path;
}

} // namespace dt
