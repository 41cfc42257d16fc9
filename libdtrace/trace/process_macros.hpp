// Macro variables with the ids of the process that compiles a program, such as $pid and $uid.
#pragma once

#include <unistd.h>

#include "dcompiler/syntax/input.hpp"

namespace dt {

/// Returns the macro variables of this process; `target` is the value of $target.
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
