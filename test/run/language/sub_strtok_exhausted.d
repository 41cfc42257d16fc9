/*@
 * what:    recording the NULL that strtok() returns after the last token, or using it as a key, raises a fault
 * stderr:  exact
 */
BEGIN { printf("[%s]", strtok("one", " ")); }
BEGIN { trace(strtok(NULL, " ")); }
BEGIN { @[strtok(NULL, " ")] = count(); }
BEGIN { this->s = strtok(NULL, " "); printf("%d\n", this->s == NULL); exit(0); }
