syscall::getppid:entry { @ = sum((int64_t)arg0 / 1000); }
