syscall::getppid:entry /pid == 1/ { @ = count(); }
