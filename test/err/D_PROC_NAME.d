/* @tag: D_PROC_NAME
 * @says: invalid probe name 'begin': not entry, return or an offset in hexadecimal
 * @line: 5
 * probe name neither entry, return nor an offset */
pid$target:a.out:main:begin { }
