/*@
 * what:    prefix and postfix increments work on every kind of variable
 */
BEGIN
{
	printf("%d %d %d\n", x++, x, ++x);
	printf("%d %d %d\n", x--, x, --x);
	printf("%d %d\n", this->y++, this->y);
	printf("%d %d\n", ++self->z, self->z--);
	printf("%d\n", self->z);
	exit(0);
}
