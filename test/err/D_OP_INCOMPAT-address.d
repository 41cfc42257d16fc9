/* @tag: D_OP_INCOMPAT
 * @says: operands have incompatible types: "int64_t" == "string"
 * @line: 6
 * @hint: if it is the address of a text: copyinstr(arg1) where a user program has it, stringof(arg1) where the kernel has
 * a raw probe argument is a number, and comparing it with a string is an error */
syscall::openat:entry /arg1 == "/etc/passwd"/ { trace(1); }
