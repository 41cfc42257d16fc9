/*@
 * what:    predicates compare strings by content
 */
BEGIN /execname == "dtrace"/ { printf("name\n"); }
BEGIN /execname != "dtrace"/ { printf("no\n"); }
BEGIN /probename == "BEGIN" && probeprov == "dtrace"/ { printf("probe\n"); }
BEGIN { exit(0); }
