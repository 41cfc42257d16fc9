/*@
 * what:    freopen() of a file that cannot be opened reports an error and keeps the current output
 * run:     -qws %file%
 */
BEGIN { freopen("/nonexistent/file"); printf("still here\n"); exit(0); }
