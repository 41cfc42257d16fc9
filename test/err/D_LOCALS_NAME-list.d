/* @tag: D_LOCALS_NAME
 * @says: no variable total is visible at pid4343:a.out:main:entry
 * @line: 6
 * @hint: the variables there are count, code, lost, strange
 * without a similar name, the message lists the variables */
pid$target:a.out:main:entry { trace(locals->total); }
