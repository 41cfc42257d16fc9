/*@
 * what:    with -x sourcelines, names of functions print with their source line, also in keys
 * run:     -qs %file% -x sourcelines -c '%progs%/inlined'
 * expect:  regex
 */
pid$target:a.out:leaf:entry { usym(ucaller); printf("\n"); @[ufunc(ucaller)] = count(); }
