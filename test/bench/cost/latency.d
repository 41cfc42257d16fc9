/*@
 * what:  latency by self->, distributed
 * total: sum
 */
syscall::getppid:entry { self->began = timestamp; }
syscall::getppid:return /self->began/ { @ = quantize(timestamp - self->began); self->began = 0; }
