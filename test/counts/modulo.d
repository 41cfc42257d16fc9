syscall::getppid:entry { @[(uint32_t)arg0 % 16] = count(); }
