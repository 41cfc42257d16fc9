/* @tag: D_CHR_NULL
 * '' */
BEGIN { trace(''); }
