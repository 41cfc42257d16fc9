#!/usr/sbin/dtrace -s
/*
 * memleak.d - memory that a program has allocated and not freed, by stack
 *
 * USAGE: memleak.d -c COMMAND | -p PID [bytes [mmap]]
 *	bytes	smallest allocation that counts (default: all)
 *	mmap	the word mmap: also count mappings that the program makes itself
 *
 *	bytes not freed and number of their allocations, by stack:
 *
 *	              libc.so.6`malloc
 *	              leaks`keep+0x13
 *	              leaks`main+0x9d
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	              libc.so.6`__libc_start_main+0x85
 *	              leaks`_start+0x21
 *	             3000 in 3
 *
 * The 20 stacks with the most bytes are shown, largest first; 0 means that all memory was freed. Only allocations made
 * during the trace are known. Children of the process are not traced. Each allocation takes some microseconds longer,
 * and a stack of 16 frames is kept for each unfreed one.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option ustackframes=16
/* Older C libraries lack some of the functions. */
#pragma D option zdefs

uint64_t sizes[uint64_t];
dt_stack_t stacks[uint64_t];

/* One function of the library may call another, and several names may belong to one function: the outermost call counts. */
pid$target:libc:malloc:entry, pid$target:libc:valloc:entry, pid$target:libc:pvalloc:entry
/!self->size && arg0 != 0 && arg0 >= $1/
{
	self->size = arg0;
	self->stack = ustack();
}

pid$target:libc:calloc:entry
/!self->size && arg0 * arg1 != 0 && arg0 * arg1 >= $1/
{
	self->size = arg0 * arg1;
	self->stack = ustack();
}

pid$target:libc:aligned_alloc:entry, pid$target:libc:memalign:entry
/!self->size && arg1 != 0 && arg1 >= $1/
{
	self->size = arg1;
	self->stack = ustack();
}

pid$target:libc:posix_memalign:entry
/!self->size && arg2 != 0 && arg2 >= $1/
{
	self->size = arg2;
	self->into = arg0;
	self->stack = ustack();
}

/* A reallocation frees the old memory, whether it moves or not. */
pid$target:libc:realloc:entry
/!self->size/
{
	self->old = arg0;
	self->size = arg1 >= $1 ? arg1 : 0;
	self->stack = ustack();
}

pid$target:libc:reallocarray:entry
/!self->size/
{
	self->old = arg0;
	self->size = arg1 * arg2 >= $1 ? arg1 * arg2 : 0;
	self->stack = ustack();
}

pid$target:libc:realloc:return, pid$target:libc:reallocarray:return
/self->old && arg1 && sizes[self->old]/
{
	@bytes[stacks[self->old]] = sum(-sizes[self->old]);
	@count[stacks[self->old]] = sum(-1);
	sizes[self->old] = 0;
}

pid$target:libc:posix_memalign:return
/self->into/
{
	self->memory = arg1 == 0 ? *(uintptr_t *)copyin(self->into, sizeof(uintptr_t)) : 0;
	self->into = 0;
}

pid$target:libc:malloc:return, pid$target:libc:valloc:return, pid$target:libc:pvalloc:return, pid$target:libc:calloc:return,
pid$target:libc:aligned_alloc:return, pid$target:libc:memalign:return, pid$target:libc:realloc:return, pid$target:libc:reallocarray:return
/self->size && !self->into/
{
	self->memory = arg1;
}

pid$target:libc:malloc:return, pid$target:libc:valloc:return, pid$target:libc:pvalloc:return, pid$target:libc:calloc:return,
pid$target:libc:aligned_alloc:return, pid$target:libc:memalign:return, pid$target:libc:realloc:return, pid$target:libc:reallocarray:return,
pid$target:libc:posix_memalign:return
/self->size && self->memory/
{
	sizes[self->memory] = self->size;
	stacks[self->memory] = self->stack;
	@bytes[self->stack] = sum(self->size);
	@count[self->stack] = sum(1);
}

pid$target:libc:malloc:return, pid$target:libc:valloc:return, pid$target:libc:pvalloc:return, pid$target:libc:calloc:return,
pid$target:libc:aligned_alloc:return, pid$target:libc:memalign:return, pid$target:libc:realloc:return, pid$target:libc:reallocarray:return,
pid$target:libc:posix_memalign:return
/!self->into/
{
	self->size = 0;
	self->old = 0;
	self->memory = 0;
}

pid$target:libc:free:entry
/arg0 && sizes[arg0]/
{
	@bytes[stacks[arg0]] = sum(-sizes[arg0]);
	@count[stacks[arg0]] = sum(-1);
	sizes[arg0] = 0;
}

/* munmap(2) removes the mapping that starts at its address. */
pid$target:libc:mmap:entry
/$$2 == "mmap" && !self->size && !self->mapped && arg1 >= $1/
{
	self->mapped = arg1;
	self->stack = ustack();
}

pid$target:libc:mmap:return
/self->mapped && (int64_t)arg1 != -1/
{
	sizes[arg1] = self->mapped;
	stacks[arg1] = self->stack;
	@bytes[self->stack] = sum(self->mapped);
	@count[self->stack] = sum(1);
}

pid$target:libc:mmap:return
{
	self->mapped = 0;
}

pid$target:libc:munmap:entry
/$$2 == "mmap" && sizes[arg0]/
{
	@bytes[stacks[arg0]] = sum(-sizes[arg0]);
	@count[stacks[arg0]] = sum(-1);
	sizes[arg0] = 0;
}

END
{
	trunc(@bytes, 20);
	printf("bytes not freed and number of their allocations, by stack:\n");
	printa("%-14k%@17d in %@d\n", @bytes, @count);
}
