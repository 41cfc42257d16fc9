syscall::getppid:entry { @[execname] = count(); }
