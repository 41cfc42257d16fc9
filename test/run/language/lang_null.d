/*@
 * what:    NULL and 0 can be assigned to pointers of every type, and assigning either to a string variable deletes the string
 */
char *p; self string s;
BEGIN { self->s = "x"; self->s = NULL; p = NULL; printf("%d %d %d\n", self->s == NULL, p == 0, NULL == 0); exit(0); }
