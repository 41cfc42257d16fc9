/* @tag: D_ARGS_NAME
 * @says: no argument of syscall:vmlinux:read:entry is named fd
 * @line: 5
 * args.NAME is an error if no argument of the probe has this name */
syscall::read:entry { trace(args.fd); }
