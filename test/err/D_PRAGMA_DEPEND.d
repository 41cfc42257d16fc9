/* @tag: D_PRAGMA_DEPEND
 * @says: program requires provider nosuch
 * @line: 5
 * dependency missing; library in a main program */
#pragma D depends_on provider nosuch
BEGIN { exit(0); }
