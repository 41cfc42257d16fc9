/*@
 * what:    C++ functions can be named as in the source, with or without parameters, or by the mangled name
 * run:     -qs %file% -c '%progs%/shop 2'
 * expect:  exact
 */
pid$target:a.out:*Cart??add*:entry { printf("%s %d\n", probefunc, arg1); }
pid$target:a.out:_ZN4shop4Cart3addEi:return { printf("%s %d\n", probefunc, arg1); }
pid$target:a.out:greet:entry { printf("%s\n", probefunc); }
pid$target:a.out:*leave*:entry { printf("%s\n", probefunc); }
pid$target:a.out:*larger*:entry { printf("%s %d\n", probefunc, arg1); }
