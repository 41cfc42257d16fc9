/*@
 * what:    with -x sourcelines, function addresses print with their source line, in keys too
 * run:     -qs %file% -x sourcelines -c '%progs%/inlined'
 * expect:  regex
 */
pid$target:a.out:leaf:entry { usym(ucaller); printf("\n"); @[ufunc(ucaller)] = count(); }
