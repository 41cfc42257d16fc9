/* @tag: D_PRINTF_ARG_TYPE
 * @says: printf( ) argument #2 is incompatible with conversion #1 prototype: | conversion: %s | prototype: char [] or string (or use stringof) | argument: int64_t
 * @line: 6
 * @hint: if it is the address of a text: copyinstr(arg1) where a user program has it, stringof(arg1) where the kernel has
 * a raw probe argument is a number, and printing it as a string is an error */
syscall::openat:entry { printf("%s", arg1); }
