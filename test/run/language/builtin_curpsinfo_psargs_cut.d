/*@
 * what:    pr_psargs holds at most 79 characters
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/packet aaaaaaaaaabbbbbbbbbbccccccccccddddddddddaaaaaaaaaabbbbbbbbbbccccccccccdddddddddd'
 */
syscall::getppid:entry /pid == $target/ { printf("%d %d\n", strlen(curpsinfo->pr_psargs), strlen(curpsinfo->pr_fname)); }
