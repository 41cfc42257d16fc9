/* @tag: D_PROTO_ARG
 * @says: strlen( ) argument #1 is incompatible with prototype: | prototype: char * | argument: int64_t
 * @line: 6
 * @hint: if it is the address of a text: copyinstr(arg1) where a user program has it, stringof(arg1) where the kernel has
 * a raw probe argument is a number, and passing it as a pointer is an error */
syscall::openat:entry { trace(strlen(arg1)); }
