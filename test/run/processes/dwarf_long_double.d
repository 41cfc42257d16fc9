/*@
 * what:    a long double argument on the stack prints as a number
 * needs:   x86-64
 * run:     -qs %file% -c %progs%/floats
 * expect:  exact
 */
pid$target:a.out:longest:entry { printf("%d %.2Lf %d\n", args[0], args[1], args[2]); }
