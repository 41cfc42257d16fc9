/* @tag: D_LOCALS_TYPE
 * @says: the type of variable strange at pid4343:a.out:main:entry is not known, or differs between the places where the probes fire
 * @line: 5
 * a variable without a type cannot be read */
pid$target:a.out:main:entry { trace(locals->strange); }
