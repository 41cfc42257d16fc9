/*@
 * what:    recording the NULL of an exhausted strtok() faults, in a record as in a key
 * stderr:  exact
 */
BEGIN { printf("[%s]", strtok("one", " ")); }
BEGIN { trace(strtok(NULL, " ")); }
BEGIN { @[strtok(NULL, " ")] = count(); }
BEGIN { this->s = strtok(NULL, " "); printf("%d\n", this->s == NULL); exit(0); }
