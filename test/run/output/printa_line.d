/*@
 * what:    without -q, printa() entries follow the line's prefix
 * run:     -s %file%
 */
BEGIN { @a["x"] = count(); exit(0); }
END { printa(@a); }
