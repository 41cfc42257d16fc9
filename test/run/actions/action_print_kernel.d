/*@
 * what:    print() shows a kernel structure with its members
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { print(&curthread->cred->uid); printf("%d\n", curthread->cred->uid.val == uid); }
