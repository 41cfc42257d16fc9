syscall::getppid:entry { @ = quantize(arg0); }
