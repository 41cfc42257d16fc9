#!/usr/sbin/dtrace -s
/*
 * pyexceptions.d - exceptions of a Python program, by type
 *
 * USAGE: pyexceptions.d -c COMMAND | -p PID
 *
 *	EXCEPTION                             RAISED
 *	TypeError                                 20
 *	FileNotFoundError                         23
 *	KeyError                                 106
 *	AttributeError                           545
 *
 * The most frequent last; also those that the interpreter makes for itself, as StopIteration at the end of a loop. An exception that is passed on is
 * counted again where it is raised anew. The interpreter must export its functions, as those of distributions do; its objects are read as CPython 3 lays
 * them out.
 */
#pragma D option quiet
#pragma D option escape=on

/* _PyErr_SetObject(thread, type, value): the name of a type is behind the count of references, its own type and its size */
pid$target::_PyErr_SetObject:entry
{
	this->name = copyin(arg1 + 24, sizeof(uintptr_t));
	@[copyinstr(*(uintptr_t *)this->name, 4096, "(unreadable)")] = count();
}

END
{
	printf("%-32s %11s\n", "EXCEPTION", "RAISED");
	printa("%-32s %@11d\n", @);
}
