/*@
 * what:    option aggsortkey sorts entries by key
 * run:     -qs %file% -x aggsortkey
 */
BEGIN { @a["m"] = sum(1); @a["z"] = sum(2); @a["b"] = sum(3); exit(0); }
