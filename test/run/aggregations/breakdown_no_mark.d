/*@
 * what:    breakdown() of what is no mark of the thread, or was eight marks ago, is an illegal operation; of a mark it is not
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
