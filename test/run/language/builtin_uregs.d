/*@
 * what:    uregs[] contains the registers that the process had when it made the system call
 * needs:   syscall x86-64
 * run:     -qs %file% -c '%progs%/registers'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %d %d %d\n", uregs[R_RBX], uregs[R_RDX], uregs[R_RSI], uregs[R_RDI], uregs[R_RBP]);
	printf("%d %d %d %d\n", uregs[R_R8], uregs[R_R9], uregs[R_R10], uregs[R_R12]);
	printf("%d %d %d\n", uregs[R_R13], uregs[R_R14], uregs[R_R15]);
	printf("%d %d\n", uregs[R_ERR], (int64_t)uregs[R_RAX]);
	printf("%d %d\n", uregs[R_RCX] == uregs[R_RIP], uregs[R_R11] == uregs[R_RFL]);
	printf("%x %x %d\n", uregs[R_CS], uregs[R_SS], uregs[R_RSP] > 0x7f0000000000);
}
