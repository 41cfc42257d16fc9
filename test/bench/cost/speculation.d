/*@
 * what:  a record speculated at entry, discarded at return unless the call failed
 * total: sum
 * promises: records in the order of their times, and speculations that any thread may commit
 */
#pragma D option bufsize=64m
syscall::getppid:entry { self->id = speculation(); }
syscall::getppid:entry /self->id/ { speculate(self->id); printf("%d %s %d\n", tid, execname, arg2); }
syscall::getppid:return /self->id && errno/ { commit(self->id); self->id = 0; }
syscall::getppid:return /self->id/ { discard(self->id); self->id = 0; @ = count(); }
