/* @tag: D_PRAGMA_OPTSET
 * option cannot be set */
#pragma D option nosuch
BEGIN { exit(0); }
