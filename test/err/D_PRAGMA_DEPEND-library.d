/* @tag: D_PRAGMA_DEPEND
 * @says: program requires library io.d
 * @line: 5
 * a main program cannot depend on a library, present or not */
#pragma D depends_on library io.d
BEGIN { exit(0); }
