/*@
 * what:    -F: other probes are a bar and their name
 * run:     -F -s %file%
 */
BEGIN { trace(1); exit(0); }
