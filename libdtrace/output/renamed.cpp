// Renames with rename(2), which replaces an existing file atomically, so each step happens completely or not at all.
#include "libdtrace/output/renamed.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace dt::output {
namespace {

std::string numbered(const std::string& path, uint64_t number)
{
    return number == 0 ? path : path + "." + std::to_string(number);
}

bool is_there(const std::string& path)
{
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0;
}

} // namespace

Result<void> rename_to_next(const std::string& path, uint64_t kept)
{
    uint64_t free = 1;
    while (free < kept && is_there(numbered(path, free)))
        ++free;
    for (uint64_t to = free; to > 0; --to)
        if (std::rename(numbered(path, to - 1).c_str(), numbered(path, to).c_str()) != 0)
            return Error{std::strerror(errno), errno};
    return {};
}

void rename_back(const std::string& path)
{
    ::renameat2(AT_FDCWD, numbered(path, 1).c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE);
}

} // namespace dt::output
