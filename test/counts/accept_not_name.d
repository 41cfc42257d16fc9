syscall::getppid:entry /execname != "a long name"/ { @ = count(); }
