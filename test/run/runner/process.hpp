// Child processes of a test. Each runs in a separate process group with output to files, and none is left running.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::runtest {

struct Command {
    std::vector<std::string> words;
    std::vector<std::string> env; // variables NAME=VALUE that are added to the environment of this process
    std::filesystem::path directory, out, err;
};

struct Ended {
    int status = 0; // exit status, or 128 + signal number, as in a shell
    bool timed_out = false;
};

/// Makes this process the parent of each descendant that loses its own parent, so that end_descendants() finds it.
void adopt_orphans();

/// Ends all child processes and, as they become children in turn, all their descendants.
void end_descendants();

/// Starts the command. Returns -1 if no process can be created. A command that cannot be executed ends with status 127.
pid_t start(const Command& command);

/// Waits for the process. After the limit it ends the whole process group, first by a signal that lets it detach
/// probes.
Ended wait_for(pid_t pid, int timeout_s);

/// Ends the process group of a running process, and waits for the process.
void end_group(pid_t pid);

} // namespace dt::runtest
