/*@
 * what:    a file that cannot be opened: the error, and output stays
 * run:     -qws %file%
 */
BEGIN { freopen("/nonexistent/file"); printf("still here\n"); exit(0); }
