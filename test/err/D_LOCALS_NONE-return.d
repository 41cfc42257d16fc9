/* @tag: D_LOCALS_NONE
 * @says: the variables at pid4343:a.out:main:return are not known: a return probe fires after the function has left its variables
 * @line: 5
 * a return probe has no variables */
pid$target:a.out:main:return { trace(locals->count); }
