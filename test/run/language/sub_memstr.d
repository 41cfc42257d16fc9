/*@
 * what:    memstr() returns memory as a string, with its second argument in place of each zero byte
 * needs:   syscall
 * run:     -qs %file% -c 'sh -c "echo one >/dev/null" "two three" "" four'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	this->start = curthread->mm->arg_start;
	this->size = curthread->mm->arg_end - this->start;
	printf("%s\n", memstr(copyin(this->start, this->size), ' ', this->size));
	printf("[%s] [%s] [%s]\n", memstr(args[1], '.', 4), memstr(args[1], '.', 1), memstr(args[1], '.', 0));
	this->bytes = (char *)alloca(8);
	this->bytes[1] = 'x';
	printf("[%s] [%s]\n", memstr(this->bytes, '-', 8), memstr(this->bytes, '\0', 8));
	@[memstr(this->bytes, '-', 4)] = count();
	@[memstr("-x-", '-', 4)] = count();
}
