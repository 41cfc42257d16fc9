/*@
 * what:    in ERROR, arg0 to arg5, probename and id have the documented values
 */
ERROR { printf("%d %d %d %d %d %s %d\n", arg0, arg1, arg2, arg4, arg5, probename, id); }
BEGIN { z = 0; x = 7 % z; }
BEGIN { exit(0); }
