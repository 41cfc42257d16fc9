/* @tag: D_PRINTF_ARG_TYPE
 * @says: printf( ) argument #2 is incompatible with conversion #1 prototype: | conversion: %s | prototype: char [] or string (or use stringof) | argument: int64_t
 * @line: 6
 * @hint: to read a string at this address, use copyinstr(arg1) for a user program's string or stringof(arg1) for a kernel string
 * printing a raw probe argument such as arg1, which is a number, with %s is an error */
syscall::openat:entry { printf("%s", arg1); }
