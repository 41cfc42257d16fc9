/* @tag: D_PRAGMA_DEPEND
 * @says: program requires provider nosuch
 * @line: 5
 * depends_on of a missing provider, module or library, or of any library in a main program, is an error */
#pragma D depends_on provider nosuch
BEGIN { exit(0); }
