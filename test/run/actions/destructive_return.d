/*@
 * what:    return(n) makes a system call fail with error n without running it
 * needs:   syscall guest override
 * run:     -q -w -s %file% -c '%progs%/appends %tmp%/file 1'
 */
syscall::write:entry /pid == $target && arg0 == 3/ { return(-ENOSPC); }
syscall::write:return /pid == $target && errno/ { printf("%d %d\n", arg0, errno == ENOSPC); }
