syscall::getppid:entry /a[tid]/ { a[tid] = timestamp; }
