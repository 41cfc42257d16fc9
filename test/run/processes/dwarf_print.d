/*@
 * what:    print() shows a copied user structure whose type only the traced program defines
 * run:     -qs %file% -c '%progs%/typed'
 * expect:  regex
 */
pid$target:a.out:pick:return { print(*(struct shape *)copyin(arg1, sizeof (struct shape))); }
