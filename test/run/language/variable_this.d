/*@
 * what:    a this-> variable keeps its value in later clauses of the same probe hit, but not in another probe hit
 */
BEGIN { this->a = 3; this->s = "three"; }
BEGIN { printf("%d %s\n", this->a, this->s); this->a++; }
BEGIN { printf("%d\n", this->a); exit(0); }
END { printf("%d\n", this->a); }
