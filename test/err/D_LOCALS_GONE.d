/* @tag: D_LOCALS_GONE
 * @says: variable lost cannot be read at pid4343:a.out:main:entry: the compiler has optimized it away; the nearest line where it can be read is 12
 * @line: 5
 * a variable that has no value at the probe is an error, which names a line where it has one */
pid$target:a.out:main:entry { trace(locals->lost); }
