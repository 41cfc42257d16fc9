/*@
 * what:    uregs[] contains the named registers that an arm64 process had when it made the system call
 * needs:   syscall arm64
 * run:     -qs %file% -c '%progs%/registers'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %d %d %d\n", uregs[R_X1], uregs[R_X2], uregs[R_X3], uregs[R_X4], uregs[R_X5]);
	printf("%d %d %d %d\n", uregs[R_X6], uregs[R_X7], uregs[R_X8], uregs[R_X9]);
	printf("%d %d %d %d\n", uregs[R_X18], uregs[R_X19], uregs[R_X28], uregs[R_ORIG_X0]);
	printf("%d %d %d\n", uregs[R_FP], uregs[R_LR], uregs[R_ERR]);
	printf("%d %d\n", uregs[R_PC] != 0, uregs[R_SP] > 0xffff00000000);
}
