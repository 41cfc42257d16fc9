/* @tag: D_LOCALS_NONE
 * @says: the variables at pid4343:a.out:helper:entry are not known: there is no debug information: compile the program with -g
 * @line: 5
 * locals need debug information of the traced function */
pid$target:a.out:helper:entry { trace(locals->count); }
