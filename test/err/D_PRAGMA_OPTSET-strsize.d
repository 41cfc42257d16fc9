/* @tag: D_PRAGMA_OPTSET
 * strsize changes under a struct that has a string */
struct q { string s; int y; };
#pragma D option strsize=1024
BEGIN { exit(0); }
