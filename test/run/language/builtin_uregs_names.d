/*@
 * what:    uregs[] accepts generic names (R_PC), 32-bit names (R_EIP) and segment registers (R_DS)
 * needs:   syscall x86-64
 * run:     -qs %file% -c '%progs%/registers'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %d %d\n", uregs[R_PC] == uregs[R_EIP], uregs[R_SP] == uregs[R_ESP], uregs[R_FP] == uregs[R_EBP], uregs[R_PS] == uregs[R_EFL]);
	printf("%d %d %d %d\n", uregs[R_R0] == uregs[R_EAX], uregs[R_R1], uregs[R_EDI], uregs[R_ESI] - uregs[R_EDX]);
	printf("%d %d %d %d %d\n", uregs[R_DS], uregs[R_ES], uregs[R_FS] != 0, uregs[R_GS], uregs[R_TRAPNO] < 256);
}
