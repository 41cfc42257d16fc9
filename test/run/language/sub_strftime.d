/*@
 * what:    strftime() prints a time in ns since the epoch in printf(), trace(), print() and as the key of an aggregation, where equal texts are one key
 * env:     TZ=UTC
 */
BEGIN
{
	this->t = 1000000000123456789;
	printf("%s|%30s|%-5s|\n", strftime("%Y-%m-%d %H:%M:%S", this->t), strftime("%a %e %b %T.%f", this->t), strftime("%H", 0));
	printf("%s %s\n", strftime("%F %T.%f", -1), strftime("%s %%", 86400s));
	trace(strftime("%D\n", this->t));
	print(strftime("%R", this->t));
	@[strftime("%H:%M", 59s), 1] = count();
	@[strftime("%H:%M", 0), 1] = count();
	@[strftime("%H:%M", 60s), 1] = count();
	exit(0);
}
