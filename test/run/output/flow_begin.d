/*@
 * what:    with -F, a probe that is neither entry nor return prints a bar and its name
 * run:     -F -s %file%
 */
BEGIN { trace(1); exit(0); }
