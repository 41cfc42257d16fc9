/* @tag: D_CHR_OFLOW
 * more than 8 bytes */
BEGIN { trace('abcdefghi'); }
