syscall::getppid:entry /arg0 > x/ { x = arg0; }
