syscall::getppid:entry { @[copyinstr(arg1)] = count(); }
