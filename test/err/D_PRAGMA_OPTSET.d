/* @tag: D_PRAGMA_OPTSET
 * @says: failed to set option 'nosuch': Invalid option name
 * @line: 5
 * option cannot be set */
#pragma D option nosuch
BEGIN { exit(0); }
