/*@
 * what:    recording NULL from an exhausted strtok() raises a fault, in a record and as a key
 * stderr:  exact
 */
BEGIN { printf("[%s]", strtok("one", " ")); }
BEGIN { trace(strtok(NULL, " ")); }
BEGIN { @[strtok(NULL, " ")] = count(); }
BEGIN { this->s = strtok(NULL, " "); printf("%d\n", this->s == NULL); exit(0); }
