/* @tag: D_PROC_OFF
 * @says: offset 0xffffff is outside of function 'main'
 * @line: 5
 * an offset beyond the function is an error */
pid$target:a.out:main:ffffff { }
