syscall::getppid:entry { @ = stddev((int)arg0); }
