/*@
 * what:    print() of a structure of the program shows floating-point members as numbers
 * run:     -qs %file% -c %progs%/floats
 * expect:  regex
 */
pid$target:a.out:shown:entry { print(*args[0]); }
