#include "cmd/shell/history.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace dt::shell {
namespace {

/// Creates the missing directories of the path.
void make_directories(const std::string& path)
{
    for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
        mkdir(path.substr(0, slash).c_str(), 0700);
    mkdir(path.c_str(), 0700);
}

/// Returns whether only this user can create files in the directory.
bool is_ours(const std::string& directory)
{
    struct stat found {};
    return lstat(directory.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string state_directory()
{
    if (const char* const state = std::getenv("XDG_STATE_HOME"); state && *state == '/')
        return state;
    const char* const home = std::getenv("HOME");
    return home && *home == '/' ? std::string(home) + "/.local/state" : std::string();
}

} // namespace

std::string history_file()
{
    const std::string state = state_directory();
    if (state.empty())
        return {};
    const std::string directory = state + "/dtrace", path = directory + "/history";
    make_directories(directory);
    if (!is_ours(directory))
        return {};
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return {};
    const bool is_private = fchmod(file, 0600) == 0;
    close(file);
    return is_private ? path : std::string();
}

} // namespace dt::shell
