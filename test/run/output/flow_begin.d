/*@
 * what:    with -F, probes other than entry and return print a bar and their name
 * run:     -F -s %file%
 */
BEGIN { trace(1); exit(0); }
