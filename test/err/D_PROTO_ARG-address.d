/* @tag: D_PROTO_ARG
 * @says: strlen( ) argument #1 is incompatible with prototype: | prototype: char * | argument: int64_t
 * @line: 6
 * @hint: to read a string at this address, use copyinstr(arg1) for a user program's string or stringof(arg1) for a kernel string
 * passing a raw probe argument such as arg1, which is a number, to strlen() is an error */
syscall::openat:entry { trace(strlen(arg1)); }
