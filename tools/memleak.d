#!/usr/sbin/dtrace -s
/*
 * memleak.d - memory that a program has allocated and not freed, by stack
 *
 * USAGE: memleak.d -c COMMAND | -p PID [bytes]
 *	bytes	smallest allocation that counts (default: all)
 *
 *	bytes not freed, in how many allocations, by stack:
 *
 *	              libc.so.6`malloc
 *	              leaks`keep+0x13
 *	              leaks`main+0x9d
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	              libc.so.6`__libc_start_main+0x85
 *	              leaks`_start+0x21
 *	             3000 in 3
 *
 * The twenty stacks with most bytes, the most first; 0 means that all was freed again. Only what was allocated while the script runs is known. Children of the
 * process are not traced. Costs some microseconds an allocation; a stack of 16 frames is kept for each that is not freed.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option ustackframes=16

uint64_t sizes[uint64_t];
dt_stack_t stacks[uint64_t];

pid$target:libc:malloc:entry
/arg0 != 0 && arg0 >= $1/
{
	self->size = arg0;
	self->stack = ustack();
}

pid$target:libc:calloc:entry
/arg0 * arg1 != 0 && arg0 * arg1 >= $1/
{
	self->size = arg0 * arg1;
	self->stack = ustack();
}

/* What it gave before is gone, whether it moved or not. */
pid$target:libc:realloc:entry
{
	self->old = arg0;
	self->size = arg1 >= $1 ? arg1 : 0;
	self->stack = ustack();
}

pid$target:libc:realloc:return
/self->old && arg1 && sizes[self->old]/
{
	@bytes[stacks[self->old]] = sum(-sizes[self->old]);
	@count[stacks[self->old]] = sum(-1);
	sizes[self->old] = 0;
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
/self->size && arg1/
{
	sizes[arg1] = self->size;
	stacks[arg1] = self->stack;
	@bytes[self->stack] = sum(self->size);
	@count[self->stack] = sum(1);
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
{
	self->size = 0;
	self->old = 0;
}

pid$target:libc:free:entry
/arg0 && sizes[arg0]/
{
	@bytes[stacks[arg0]] = sum(-sizes[arg0]);
	@count[stacks[arg0]] = sum(-1);
	sizes[arg0] = 0;
}

END
{
	trunc(@bytes, 20);
	printf("bytes not freed, in how many allocations, by stack:\n");
	printa("%-14k%@17d in %@d\n", @bytes, @count);
}
