/*@
 * what:    getenv() is the value of a variable in the environment of the current process, or NULL
 * needs:   syscall
 * run:     -qs %file% -c 'env -i NA=no NAME=value EMPTY= LINES=a=b=c A=1 %progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("[%s] [%s] [%s] [%s]\n", getenv("NAME"), getenv("EMPTY"), getenv("LINES"), getenv("A"));
	printf("%d%d%d%d\n", getenv("AME") == NULL, getenv("NAMES") == NULL, getenv("value") == NULL, getenv("EMPTY") != NULL);
	this->name = getenv("NA");
	@[getenv("NAME"), strlen(this->name)] = count();
	@[strjoin("va", "lue"), 2] = count();
}
