syscall::getppid:entry { x++; }
