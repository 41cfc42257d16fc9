syscall::getppid:entry { self->calls++; @ = max(self->calls); }
