/* @tag: D_PRAGCTL_INVAL
 * unknown control line */
#frob
BEGIN { exit(0); }
