/*@
 * what:    for an unlocked mutex, mutex_type_adaptive() is 1, and mutex_type_spin() and mutex_owned() are 0
 */
BEGIN
{
	this->m = &curthread->signal->cred_guard_mutex;
	printf("%d %d\n", mutex_type_adaptive(this->m), mutex_type_spin(this->m));
	printf("%d\n", mutex_owned(this->m));
	exit(0);
}
