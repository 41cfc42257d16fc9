/*@
 * what:    with -32, printf() converts %z and %t to four bytes, as size_t and ptrdiff_t, and %j to eight
 * run:     -32 -qs %file%
 */
BEGIN
{
	this->n = (int64_t)0x1fffffffe;
	printf("%zd %zu %zx %td %ti %jd\n", this->n, this->n, this->n, this->n, this->n, this->n);
	exit(0);
}
