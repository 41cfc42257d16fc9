/* @tag: D_PRAGMA_UNUSED
 * @says: unused #pragma attributes for nix
 * @line: 5
 * attributes/binding pragma never applied */
#pragma D attributes Stable/Stable/Common nix
BEGIN { exit(0); }
