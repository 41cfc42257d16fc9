/* @tag: D_PRAGMA_DEPEND
 * @says: program requires provider nosuch
 * @line: 5
 * a missing dependency, or a library dependency in a main program, is an error */
#pragma D depends_on provider nosuch
BEGIN { exit(0); }
