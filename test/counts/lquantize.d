syscall::getppid:entry { @ = lquantize(arg0, 0, 100, 10); }
