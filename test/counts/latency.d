syscall::getppid:entry { self->start = timestamp; }
syscall::getppid:return /self->start/ { @ = sum(timestamp - self->start); self->start = 0; }
