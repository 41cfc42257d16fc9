syscall::getppid:entry { @[ustack()] = count(); }
