syscall::getppid:return { a[tid] = 1; }
syscall::getppid:entry /a[tid] > 10/ { @ = sum(a[tid]); }
