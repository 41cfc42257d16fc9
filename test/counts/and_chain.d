syscall::getppid:entry /arg0 == 1 && arg1 == 2 && arg2 == 3 && arg3 == 4/ { @ = count(); }
