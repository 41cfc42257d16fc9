/*@
 * what:    mutex_owned() and the other lock subroutines raise a fault for a NULL lock, except mutex_type_adaptive() and mutex_type_spin()
 * stderr:  exact
 */
BEGIN { printf("%d %d\n", mutex_type_adaptive((struct mutex *)0), mutex_type_spin((struct mutex *)0)); }
BEGIN { trace(mutex_owned((struct mutex *)0)); }
BEGIN { trace((uint64_t)mutex_owner((struct mutex *)0)); }
BEGIN { trace(rw_iswriter((rwlock_t *)0)); }
BEGIN { trace(rw_read_held((rwlock_t *)0)); }
BEGIN { trace(rw_write_held((rwlock_t *)0)); }
BEGIN { exit(0); }
