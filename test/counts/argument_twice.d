syscall::getppid:entry /arg0 != 1/ { @a = count(); }
syscall::getppid:entry /arg0 != 2/ { @b = count(); }
