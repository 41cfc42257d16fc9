/*@
 * what:    alloca(0) returns a non-NULL pointer, and the next alloca() returns the same address
 */
BEGIN
{
	this->a = (uint64_t)alloca(0);
	this->b = (uint64_t)alloca(0);
	this->c = (uint64_t)alloca(1);
	this->d = (uint64_t)alloca(8);
	printf("%d %d %d %d\n", this->a != 0, this->a == this->b, this->c == this->a, this->d - this->c);
	exit(0);
}
