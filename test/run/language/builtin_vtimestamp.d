/*@
 * what:    vtimestamp grows while the thread runs and stands still while it sleeps
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/work 1500 800'
 */
self uint64_t at, on_cpu, left;
int64_t asleep;
int calls;

/* Sums up the time off the CPU between the scheduler probes. */
sched:::off-cpu /pid == $target/ { self->left = timestamp; }
sched:::on-cpu /self->left/ { asleep += timestamp - self->left; self->left = 0; }

syscall::getppid:entry
/pid == $target/
{
	this->on_cpu = (int64_t)(vtimestamp - self->on_cpu);
	this->off_cpu = (int64_t)(timestamp - self->at) - this->on_cpu;
	self->at = timestamp;
	self->on_cpu = vtimestamp;
	calls++;
}

syscall::getppid:entry /pid == $target && calls == 1/ { printf("began\n"); }
syscall::getppid:entry /pid == $target && calls == 2/ { printf("%s\n", asleep > 0 && this->off_cpu >= asleep / 2 ? "slept" : "awake"); }
syscall::getppid:entry /pid == $target && calls == 3/ { printf("%s\n", this->on_cpu >= 600000000 ? "worked" : "idle"); }
syscall::getppid:entry /pid == $target/ { asleep = 0; }
