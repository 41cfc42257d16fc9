/*@
 * what:    pr_psargs of curpsinfo is the command line, and pr_argv is the address of the arguments in the process
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%s|%s|%d\n", basename(curpsinfo->pr_psargs), substr(basename(copyinstr(curpsinfo->pr_argv)), 0, 20),
	    curpsinfo->pr_envp > curpsinfo->pr_argv);
}
