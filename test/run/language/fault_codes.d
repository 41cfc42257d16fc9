/*@
 * what:    each kind of fault has the documented message, the documented arg4 and arg5 in ERROR, and a DTRACEFLT_ constant
 */
int a[4];
BEGIN { n = 0; z = 7; }
BEGIN { trace(*(int *)16); }
BEGIN { trace(*(int *)-1); }
BEGIN { trace(ipl); }
BEGIN { trace(1 / n); }
BEGIN { this->p = alloca(200); this->p = alloca(z * 20); }
BEGIN { this->c = (char *)alloca(8); copyinto(0, z * 100, this->c); }
BEGIN { trace(a[z]); }
BEGIN { a[n - 1] = 1; }
ERROR { printf("clause %d code %d value %d\n", arg2, arg4, arg5); }
ERROR { printf("%s\n", arg4 == DTRACEFLT_BADADDR ? "BADADDR" : arg4 == DTRACEFLT_ILLOP ? "ILLOP" :
	arg4 == DTRACEFLT_DIVZERO ? "DIVZERO" : arg4 == DTRACEFLT_NOSCRATCH ? "NOSCRATCH" :
	arg4 == DTRACEFLT_BADSIZE ? "BADSIZE" : arg4 == DTRACEFLT_BADINDEX ? "BADINDEX" : "?"); }
BEGIN { exit(0); }
