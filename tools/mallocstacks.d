#!/usr/sbin/dtrace -s
/*
 * mallocstacks.d - memory that a program allocates, by stack
 *
 * USAGE: mallocstacks.d -c COMMAND | -p PID [bytes]
 *	bytes	smallest allocation that counts (default: all)
 *	As a flame graph: dtrace -x format=flamegraph -x flameunit=bytes -o graph.svg -s mallocstacks.d -c ./program
 *
 *	bytes allocated, by stack:
 *	              libc.so.6`_IO_doallocbuf+0x50
 *	              libc.so.6`_IO_file_overflow+0x198
 *	              libc.so.6`_IO_file_xsputn+0x10e
 *	              libc.so.6`fwrite+0xb3
 *	              date`0x55e621911290
 *	              date`0x55e621911977
 *	              date`0x55e62190ef3a
 *	              date`0x55e62190ea37
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	              libc.so.6`__libc_start_main+0x85
 *	              date`0x55e62190edf1
 *	             4096
 *
 * The 20 stacks with the most bytes are shown, largest first. Memory that is freed later is included. Children of the
 * process are not traced. Each allocation takes some microseconds longer.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs
/* Older C libraries lack some of the functions. */
#pragma D option zdefs

pid$target:libc:malloc:entry, pid$target:libc:valloc:entry, pid$target:libc:pvalloc:entry
/arg0 >= $1/
{
	@[ustack()] = sum(arg0);
}

pid$target:libc:calloc:entry
/arg0 * arg1 >= $1/
{
	@[ustack()] = sum(arg0 * arg1);
}

pid$target:libc:realloc:entry
/arg1 >= $1/
{
	@[ustack()] = sum(arg1);
}

/* In some C libraries aligned_alloc and memalign are one function: a call counts once. */
pid$target:libc:aligned_alloc:entry, pid$target:libc:memalign:entry
/!self->inside && arg1 >= $1/
{
	self->inside = 1;
	@[ustack()] = sum(arg1);
}

pid$target:libc:aligned_alloc:return, pid$target:libc:memalign:return
{
	self->inside = 0;
}

pid$target:libc:posix_memalign:entry
/arg2 >= $1/
{
	@[ustack()] = sum(arg2);
}

END
{
	trunc(@, 20);
	printf("bytes allocated, by stack:");
	printa(@);
}
