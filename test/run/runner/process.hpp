// Child processes of a test: started in a process group of their own, output captured through files, never left behind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::runtest {

struct Command {
    std::vector<std::string> words;
    std::vector<std::string> env; // NAME=VALUE, added to this process's
    std::filesystem::path directory, out, err;
};

struct Ended {
    int status = 0; // as a shell counts: exit status, or 128 + signal
    bool timed_out = false;
};

/// Starts it; -1 when there are no processes to be had. A command that cannot be executed ends with status 127.
pid_t start(const Command& command);

/// Waits; past the limit ends the whole process group (first politely, so that probes are detached).
Ended wait_for(pid_t pid, int timeout_s);

/// Ends the group of a process that is still running, and waits for it.
void end_group(pid_t pid);

} // namespace dt::runtest
