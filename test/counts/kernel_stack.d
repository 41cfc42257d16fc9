syscall::getppid:entry { @[stack()] = count(); }
