/*@
 * what:    a function that an address is printed as has the line where it begins, in keys too
 * run:     -qs %file% -x srclines -c '%progs%/inlined'
 * expect:  regex
 */
pid$target:a.out:leaf:entry { usym(ucaller); printf("\n"); @[ufunc(ucaller)] = count(); }
