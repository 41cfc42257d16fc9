// Child processes of a test. Each runs in a separate process group with output to files, and none is left running.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::runtest {

struct Command {
    std::vector<std::string> words;
    // variables NAME=VALUE for the command, in addition to the environment of this process
    std::vector<std::string> env;
    std::filesystem::path directory, out, err;
};

struct Ended {
    int status = 0; // exit status, or 128 + signal number, as in a shell
    bool timed_out = false;
};

/// Makes this process the parent of each descendant that loses its own parent, so that end_descendants() finds it.
void adopt_orphans();

/// Ends all child processes. Their children become children of this process and are ended too, until no descendant is
/// left.
void end_descendants();

/// Starts the command. Returns -1 if no process can be created. A command that cannot be executed ends with status 127.
pid_t start(const Command& command);

/// Waits for the process. After the time limit, ends its whole process group: first by a signal that lets dtrace detach
/// its probes, then by SIGKILL.
Ended wait_for(pid_t pid, int timeout_s);

/// Ends the process group of a running process, and waits for the process.
void end_group(pid_t pid);

} // namespace dt::runtest
