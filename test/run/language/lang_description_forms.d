/*@
 * what:    probe descriptions may omit components or contain patterns, and an empty component matches everything
 */
dtrace:::BEGIN { n++; }
:::BEGIN { n++; }
BEGI? { n++; }
dtrace:*:*:BEG[HI]N { n++; }
d*e:::B[!x]GIN { n++; }
dtrace::: /probename == "BEGIN"/ { n++; }
::BEGIN { n++; }
1 { n++; }
BEGIN { printf("%d\n", n); exit(0); }
