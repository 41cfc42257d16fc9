/*@
 * what:    freopen() of a missing folder reports an error, and the output does not change
 * run:     -wqs %file%
 * stderr:  exact
 */
BEGIN { freopen("/nonexistent/x"); printf("here\n"); exit(0); }
