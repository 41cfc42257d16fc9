/*@
 * what:    without -q, printa() output follows the line's prefix, with only the newlines of its format
 * run:     -s %file%
 */
BEGIN { @ = sum(3); }
BEGIN { printa(@); exit(0); }
