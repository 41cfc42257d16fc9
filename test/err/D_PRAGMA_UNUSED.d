/* @tag: D_PRAGMA_UNUSED
 * attributes/binding pragma never applied */
#pragma D attributes Stable/Stable/Common nix
BEGIN { exit(0); }
