/*@
 * what:    breakdown() raises a fault unless its argument is one of the last eight mark() values of the current thread
 * expect:  exact
 * stderr:  exact
 */
BEGIN { @none = breakdown(0); }
BEGIN { @other = breakdown(timestamp); }
BEGIN { self->first = mark(); }
BEGIN { @first = breakdown(self->first); printf("has the first of 1\n"); }
BEGIN { this->m = mark(); }
BEGIN { this->m = mark(); }
BEGIN { this->m = mark(); }
BEGIN { this->m = mark(); }
BEGIN { this->m = mark(); }
BEGIN { this->m = mark(); }
BEGIN { this->m = mark(); }
BEGIN { @eighth = breakdown(self->first); printf("has the first of 8\n"); }
BEGIN { this->m = mark(); }
BEGIN { @ninth = breakdown(self->first); printf("not reached\n"); }
BEGIN { trunc(@first); trunc(@eighth); trunc(@none); trunc(@other); trunc(@ninth); exit(0); }
