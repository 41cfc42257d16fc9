/*@
 * what:    memcmp() compares bytes of strings, D arrays, the kernel, the process and scratch memory
 * needs:   syscall
 * run:     -qs %file% -c 'sh -c "echo GET /index >/dev/null"'
 */
char array[4];
syscall::write:entry
/pid == $target && arg0 == 1/
{
	printf("%d %d\n", memcmp(args[1], "GET ", 4), memcmp(args[1], "HEAD", 4));
	array[0] = 'G'; array[1] = 'E'; array[2] = 'S';
	this->n = 2;
	printf("%d %d\n", memcmp(array, args[1], this->n), memcmp(args[1], array, 3));
	printf("%d %d\n", memcmp(curthread->comm, execname, 3), memcmp("sg", curthread->comm, 2));
	printf("%d %d\n", memcmp(copyin(arg1, 12), "GET /index\n", 11), memcmp(alloca(5), "", 1));
}
