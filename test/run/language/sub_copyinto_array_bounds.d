/*@
 * what:    copyinto() that would exceed the bounds of a D array raises a fault and writes nothing
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/appends %tmp%/file 1'
 * stderr:  contains
 */
char to[8], behind[8];

syscall::write:entry /pid == $target && arg0 == 3/ { p = to; q = behind; this->n = 6; copyinto(arg1, this->n, p + 3); }
syscall::write:entry /pid == $target && arg0 == 3/ { p = to; copyinto(arg1, 1, p - 1); }
syscall::write:entry /pid == $target && arg0 == 3/ { p = to; copyinto(arg1, 8, p); printf("%s %d\n", substr(stringof(to), 0, 8), behind[0]); }
ERROR { printf("%s\n", arg4 == DTRACEFLT_BADSIZE ? "size" : arg4 == DTRACEFLT_BADADDR ? "address" : "?"); }
