/* @tag: D_PROC_OFF
 * @says: offset 0xffffff is outside of function 'main'
 * @line: 5
 * offset beyond the function */
pid$target:a.out:main:ffffff { }
