/*@
 * what:    print() shows a structure of the program whose type only the program's debug information defines
 * run:     -qs %file% -c '%progs%/typed'
 * expect:  regex
 */
pid$target:a.out:pick:return { print(*(struct shape *)copyin(arg1, sizeof (struct shape))); }
