/*@
 * what:    several errors are all reported, in order
 * status:  1
 */
BEGIN { trace(first); }
BEGIN { trace(second); }
BEGIN { exit("text"); }
