syscall::getppid:entry { printf("%d %d %s %d %d %d\n", pid, tid, execname, cpu, timestamp, arg0); }
