/*@
 * what:    freopen() of a folder that is not there: an error line, and output stays
 * run:     -wqs %file%
 * stderr:  exact
 */
BEGIN { freopen("/nonexistent/x"); printf("here\n"); exit(0); }
