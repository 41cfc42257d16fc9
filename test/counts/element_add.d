syscall::getppid:entry { a[tid]++; }
