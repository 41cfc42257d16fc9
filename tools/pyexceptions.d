#!/usr/sbin/dtrace -s
/*
 * pyexceptions.d - exceptions that a Python program raises, by type
 *
 * USAGE: pyexceptions.d -c COMMAND | -p PID
 *
 *	EXCEPTION                             RAISED
 *	TypeError                                 20
 *	FileNotFoundError                         23
 *	KeyError                                 106
 *	AttributeError                           545
 *
 * The most frequent type is last. Exceptions that the interpreter raises itself are included, such as StopIteration at
 * the end of a loop. An exception that is raised again is counted again. The interpreter must export its functions, as
 * distributions build it. The tool reads objects in the layout of CPython 3.
 */
#pragma D option quiet
#pragma D option escape=on

/* _PyErr_SetObject(thread, type, value): a type object holds reference count, type, size, then the name */
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
