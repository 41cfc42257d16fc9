/*@
 * what:    mutex_owned() and mutex_owner() ignore the three flag bits in the mutex's owner field
 */
BEGIN
{
	this->w = (uint64_t *)alloca(64);
	this->w[0] = (uint64_t)curthread | 5;
	this->m = (struct mutex *)(uint64_t)this->w;
	printf("%d %d\n", mutex_owned(this->m), mutex_owner(this->m) == curthread);
	this->w[0] = 3;
	printf("%d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL);
	exit(0);
}
