// Macro variables that are of who compiles a program: $pid, $uid and their like.
#pragma once

#include <unistd.h>

#include "dcompiler/syntax/input.hpp"

namespace dt {

/// Those of this process; `target`: $target.
inline Macros macros_of_process(pid_t target)
{
    Macros macros;
    macros.pid = getpid();
    macros.ppid = getppid();
    macros.pgid = getpgid(0);
    macros.sid = getsid(0);
    macros.uid = getuid();
    macros.euid = geteuid();
    macros.gid = getgid();
    macros.egid = getegid();
    macros.target = target;
    return macros;
}

} // namespace dt
