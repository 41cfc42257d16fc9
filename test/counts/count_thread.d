syscall::getppid:entry { @[pid, tid] = sum(arg1); }
