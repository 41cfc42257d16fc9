/* @tag: D_PRAGCTL_INVAL
 * @says: invalid control directive: #frob
 * @line: 5
 * unknown control line */
#frob
BEGIN { exit(0); }
