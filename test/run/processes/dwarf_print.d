/*@
 * what:    print() of a copied user structure, whose type only the traced program has
 * run:     -qs %file% -c '%progs%/typed'
 * expect:  regex
 */
pid$target:a.out:pick:return { print(*(struct shape *)copyin(arg1, sizeof (struct shape))); }
