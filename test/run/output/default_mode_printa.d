/*@
 * what:    in default mode, printa() output starts after the prefix and keeps its own newline
 * run:     -s %file%
 */
BEGIN { @ = sum(3); }
BEGIN { printa(@); exit(0); }
