syscall::getppid:entry /execname == "nosuch"/ { @ = count(); }
