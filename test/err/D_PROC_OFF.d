/* @tag: D_PROC_OFF
 * offset beyond the function */
pid$target:a.out:main:ffffff { }
