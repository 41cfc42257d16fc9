/*@
 * what:    without -q, printa() entries follow the CPU, ID and probe columns of the line
 * run:     -s %file%
 */
BEGIN { @a["x"] = count(); exit(0); }
END { printa(@a); }
