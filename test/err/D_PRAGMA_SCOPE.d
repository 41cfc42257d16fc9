/* @tag: D_PRAGMA_SCOPE
 * @says: #pragma may not change identifier pid: it is not defined by this program
 * @line: 5
 * #pragma D attributes for a built-in name is an error */
#pragma D attributes Stable/Stable/Common pid
BEGIN { exit(0); }
