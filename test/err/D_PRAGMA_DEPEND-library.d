/* @tag: D_PRAGMA_DEPEND
 * a main program cannot depend on a library, present or not */
#pragma D depends_on library io.d
BEGIN { exit(0); }
