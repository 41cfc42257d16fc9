/* @tag: D_PROC_NAME
 * @says: invalid probe name 'begin': not entry, return or an offset in hexadecimal
 * @line: 5
 * a pid probe name that is neither entry, return nor an offset is an error */
pid$target:a.out:main:begin { }
