/* @tag: D_PRAGMA_DEPEND
 * dependency missing; library in a main program */
#pragma D depends_on provider nosuch
BEGIN { exit(0); }
