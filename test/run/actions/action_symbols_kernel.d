/*@
 * what:    sym(), func() and mod() print a kernel address as symbol, function and module
 */
BEGIN
{
	this->f = (uintptr_t)&`vfs_read;
	sym(this->f); printf("|\n"); func(this->f + 1); printf("|\n"); mod(this->f); printf("|\n"); sym(1); printf("|\n");
	@s[sym(this->f)] = count(); @s[sym(this->f + 1)] = count();
	@m[mod(this->f), func(this->f)] = count();
	printf("%a %a\n", this->f, this->f + 1);
	exit(0);
}
END { printa("[%a] %@d\n", @s); printa("[%60a]%a\n", @m); }
