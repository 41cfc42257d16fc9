/*@
 * what:    option aggsortrev prints entries and aggregations in reverse order
 * run:     -qs %file% -x aggsortrev
 */
BEGIN { @a["x"] = sum(1); @a["y"] = sum(2); @b["z"] = sum(3); exit(0); }
