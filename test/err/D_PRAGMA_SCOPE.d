/* @tag: D_PRAGMA_SCOPE
 * pragma on an identifier from outside the program */
#pragma D attributes Stable/Stable/Common pid
BEGIN { exit(0); }
