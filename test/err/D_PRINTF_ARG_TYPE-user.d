/* @tag: D_PRINTF_ARG_TYPE
 * @says: printf( ) argument #3 is incompatible with conversion #2 prototype: | conversion: %s | prototype: char [] or string (or use stringof) | argument: userland char *
 * @line: 6
 * @hint: it is a user address: copy it in with copyinstr()
 * a user string argument of a system call printed with %s is an error with a copyinstr() hint */
syscall::openat:entry { printf("%d %s", args[0], args[1]); }
