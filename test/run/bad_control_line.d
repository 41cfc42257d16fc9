/*@
 * what:    a control line of the C preprocessor
 * status:  1
 */
#define X 1
BEGIN { exit(0); }
