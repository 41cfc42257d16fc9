/*@
 * what:    a macro such as $1 can be a whole component of a probe description or part of one
 * run:     -qs %file% BEGIN IN ace
 */
$1 { n++; }
dtrace:::$1 { n++; }
dtrace:::BEG$2 { n++; }
dtr$3:::BEGIN { n++; }
BEGIN { printf("%d\n", n); exit(0); }
