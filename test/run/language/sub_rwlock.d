/*@
 * what:    rw_iswriter(), rw_read_held() and rw_write_held() read the state from the kernel's lock word
 */
BEGIN
{
	this->w = (uint32_t *)alloca(64);
	this->l = (rwlock_t *)(uint64_t)this->w;
	printf("%d%d%d", rw_iswriter(this->l) != 0, rw_read_held(this->l) != 0, rw_write_held(this->l) != 0);
	this->w[0] = 0xff;
	printf(" %d%d%d", rw_iswriter(this->l) != 0, rw_read_held(this->l) != 0, rw_write_held(this->l) != 0);
	this->w[0] = 0x100;
	printf(" %d%d%d", rw_iswriter(this->l) != 0, rw_read_held(this->l) != 0, rw_write_held(this->l) != 0);
	this->w[0] = 0x400;
	printf(" %d%d%d\n", rw_iswriter(this->l) != 0, rw_read_held(this->l) != 0, rw_write_held(this->l) != 0);
	exit(0);
}
