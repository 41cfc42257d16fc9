/*@
 * what:    clauses of one probe hit share clause-local variables
 */
BEGIN { this->a = 3; this->s = "three"; }
BEGIN { printf("%d %s\n", this->a, this->s); this->a++; }
BEGIN { printf("%d\n", this->a); exit(0); }
END { printf("%d\n", this->a); }
