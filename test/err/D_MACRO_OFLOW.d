/* @tag: D_MACRO_OFLOW
 * @says: macro argument $1 integer value '99999999999999999999' overflows
 * @line: 6
 * @args: 99999999999999999999
 * an integer macro argument above 64 bits is an error */
BEGIN { trace($1); }
