syscall::getppid:entry { @ = count(); }
