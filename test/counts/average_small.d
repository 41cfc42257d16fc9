syscall::getppid:entry { @ = avg((short)arg0); }
