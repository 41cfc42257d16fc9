/* @tag: D_PRAGCTL_INVAL
 * @says: invalid control directive: #frob
 * @line: 5
 * an unknown control line is an error */
#frob
BEGIN { exit(0); }
