/*@
 * what:    all reads of vtimestamp in one clause are equal
 */
BEGIN { this->a = vtimestamp; this->c = alloca(8); printf("%d\n", vtimestamp == this->a); }
BEGIN { printf("%d %d\n", vtimestamp > this->a, vtimestamp < timestamp); exit(0); }
