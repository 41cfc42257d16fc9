/* @tag: D_PRAGMA_DEPEND
 * @says: program requires library io.d
 * @line: 5
 * a main program that depends on a library is an error */
#pragma D depends_on library io.d
BEGIN { exit(0); }
