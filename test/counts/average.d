syscall::getppid:entry { @ = avg(arg0); }
