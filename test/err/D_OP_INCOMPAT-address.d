/* @tag: D_OP_INCOMPAT
 * @says: operands have incompatible types: "int64_t" == "string"
 * @line: 6
 * @hint: to read a string at this address, use copyinstr(arg1) for a user program's string or stringof(arg1) for a kernel string
 * comparing a raw probe argument such as arg1, which is a number, with a string is an error */
syscall::openat:entry /arg1 == "/etc/passwd"/ { trace(1); }
