/* @tag: D_PRAGMA_OPTSET
 * @says: failed to set option 'nosuch': Invalid option name
 * @line: 5
 * a pragma for an option that cannot be set is an error */
#pragma D option nosuch
BEGIN { exit(0); }
