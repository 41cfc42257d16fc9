/*@
 * what:    stackdepth is the number of frames of stack(), at most maxframes
 */
BEGIN { printf("%d %d\n", stackdepth > 0, stackdepth < 100); exit(0); }
