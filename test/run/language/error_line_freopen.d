/*@
 * what:    freopen() of a file in a missing directory prints an error line, and output stays where it was
 * run:     -wqs %file%
 * stderr:  exact
 */
BEGIN { freopen("/nonexistent/x"); printf("here\n"); exit(0); }
