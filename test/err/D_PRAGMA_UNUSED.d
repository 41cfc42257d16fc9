/* @tag: D_PRAGMA_UNUSED
 * @says: unused #pragma attributes for nix
 * @line: 5
 * an attributes or binding pragma that applies to no identifier is an error */
#pragma D attributes Stable/Stable/Common nix
BEGIN { exit(0); }
