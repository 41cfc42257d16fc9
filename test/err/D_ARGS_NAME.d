/* @tag: D_ARGS_NAME
 * @says: no argument of syscall:vmlinux:read:entry is named fd
 * @line: 5
 * a name that no argument of the probe has is an error */
syscall::read:entry { trace(args.fd); }
