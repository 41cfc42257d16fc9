// system(3) would ignore SIGINT while the command runs, so the user's ^C would not end the run.
#include "libdtrace/consume/system_command.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace dt {

Result<int> run_system_command(const std::string& command, int output)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&files);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none); // the run's thread blocks the signals that end a run
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (output != STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    const char* const arguments[] = {"sh", "-c", command.c_str(), nullptr};
    pid_t pid = -1;
    const int error = posix_spawn(&pid, "/bin/sh", &files, &attributes, const_cast<char* const*>(arguments), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        return Error{std::strerror(error), error};
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

} // namespace dt
