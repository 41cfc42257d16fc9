/*@
 * what:    rand() returns a signed 32-bit number
 */
BEGIN { this->r = rand(); printf("%d %d\n", this->r == (int)this->r, sizeof (rand())); exit(0); }
