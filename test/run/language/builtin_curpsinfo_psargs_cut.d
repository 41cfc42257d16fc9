/*@
 * what:    pr_psargs of curpsinfo holds the first 79 characters of a longer command line
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/packet aaaaaaaaaabbbbbbbbbbccccccccccddddddddddaaaaaaaaaabbbbbbbbbbccccccccccdddddddddd'
 */
syscall::getppid:entry /pid == $target/ { printf("%d %d\n", strlen(curpsinfo->pr_psargs), strlen(curpsinfo->pr_fname)); }
