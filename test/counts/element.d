syscall::getppid:entry { a[tid] = timestamp; }
