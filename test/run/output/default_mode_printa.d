/*@
 * what:    default mode: printa() begins after the prefix, and the line ends with its own newline
 * run:     -s %file%
 */
BEGIN { @ = sum(3); }
BEGIN { printa(@); exit(0); }
