/*@
 * what:    macros work inside probe descriptions, alone and after or before text
 * run:     -qs %file% BEGIN IN ace
 */
$1 { n++; }
dtrace:::$1 { n++; }
dtrace:::BEG$2 { n++; }
dtr$3:::BEGIN { n++; }
BEGIN { printf("%d\n", n); exit(0); }
