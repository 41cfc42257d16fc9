/*
 * adaptive.d - shows unusually slow requests, and the system calls that made them slow
 *
 * USAGE: dtrace -s adaptive.d -c adaptive			everything in the kernel
 *	dtrace -x save=adaptive.o -s adaptive.d -c adaptive	for the program's engine:
 *	adaptive --engine adaptive.o				traces requests without the kernel
 *	dtrace -s adaptive.d -c 'adaptive --engine adaptive.o --shared'
 *		the program judges its requests; the kernel judges system calls by the program's statistics
 *
 * Shows requests and calls that take at least 50 ms and longer than the mean of the requests plus six standard deviations. Only requests update the
 * statistics: the clauses at the program's probe site write the variables below. tools/slowcalls.d explains the arithmetic.
 */
#pragma D option quiet
#pragma D option nspec=64

inline int64_t least = 50000000;
inline int64_t lessons = 16;
inline int64_t most = 1 << 31;

int64_t calls, mean, variance, slow;

adaptive$target:::request-done
{
	this->took = (int64_t)arg1;
	this->usual = mean / 16;
	this->off = this->took < most ? this->took - this->usual : most;
	this->floor = this->usual / 4;
	this->spread = variance > this->floor * this->floor ? variance : this->floor * this->floor;
	this->slow = calls >= lessons && this->off > 0 && this->off * this->off / 36 > this->spread;
}

adaptive$target:::request-done
/this->slow && this->took >= least/
{
	slow++;
	printf("request %d took %d us, usually %d\n", arg0, this->took / 1000, this->usual / 1000);
}

adaptive$target:::request-done
/this->slow/
{
	variance = this->spread + this->spread / 4;
}

adaptive$target:::request-done
/!this->slow/
{
	calls += calls < lessons;
	this->square = this->off * this->off / calls;
	mean += (16 * this->off) / calls;
	variance += this->square - (variance + this->square) / calls;
}

/* The kernel's part, which reads the statistics of the program's part. */
syscall:::entry
/pid == $target && calls >= lessons/
{
	self->begun = timestamp;
	self->details = speculation();
	speculate(self->details);
	printf("%s(0x%x, 0x%x, 0x%x)", probefunc, arg0, arg1, arg2);
	ustack();
}

syscall:::return
/self->begun/
{
	this->off = (int64_t)(timestamp - self->begun) < most ? (int64_t)(timestamp - self->begun) - mean / 16 : most;
	this->slow = this->off >= least && this->off * this->off / 36 > variance;
}

syscall:::return
/self->begun && this->slow/
{
	commit(self->details);
}

syscall:::return
/self->begun && !this->slow/
{
	discard(self->details);
}

syscall:::return
/self->begun/
{
	self->begun = 0;
	self->details = 0;
}
