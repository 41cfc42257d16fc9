// Starts a test program again as root by sudo, because tests of the running kernel need root.
#pragma once

#include <unistd.h>

#include <vector>

namespace dt::test {

/// Restarts this program by sudo. Returns if the process is already root, or if sudo would ask for a password.
inline void become_root(char** argv)
{
    if (geteuid() == 0)
        return;
    char sudo[] = "sudo", never_ask[] = "-n", environment[] = "-E", end[] = "--";
    std::vector<char*> words{sudo, never_ask, environment, end};
    for (; *argv; ++argv)
        words.push_back(*argv);
    words.push_back(nullptr);
    if (access("/usr/bin/sudo", X_OK) == 0)
        execvp(words[0], words.data());
}

} // namespace dt::test
