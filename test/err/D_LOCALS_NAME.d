/* @tag: D_LOCALS_NAME
 * @says: no variable cuont is visible at pid4343:a.out:main:entry
 * @line: 6
 * @hint: did you mean count?
 * a name that no variable has is an error */
pid$target:a.out:main:entry { trace(locals->cuont); }
