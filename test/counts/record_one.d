syscall::getppid:entry { printf("%d\n", pid); }
