/*@
 * what:    clauses keep running after return(), and the last return() of a probe hit sets the system call's result
 * needs:   syscall guest override
 * run:     -q -w -s %file% -c '%progs%/appends %tmp%/file 1'
 */
syscall::write:entry /pid == $target && arg0 == 3/ { return(-EIO); printf("one\n"); }
syscall::*:entry /pid == $target && probefunc == "write" && arg0 == 3/ { printf("%s\n", probefunc); }
syscall::write:entry /pid == $target && arg0 == 3/ { this->n = -ENOSPC; return(this->n); }
syscall::write:return /pid == $target && errno/ { printf("%d\n", errno == ENOSPC); }
