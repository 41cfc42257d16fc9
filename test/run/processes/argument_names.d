/*@
 * what:    args.NAME is the argument whose parameter has this name, also if the name is a keyword of D
 * run:     -qs %file% -c '%progs%/typed_cxx'
 * expect:  exact
 */
pid$target:a.out:shop??Item??sell*:entry { printf("%d %d %d\n", args.amount, args.at_once, args.this->id); }
pid$target:a.out:shop??both*:entry { printf("%s %s\n", args.part, args.whole); }
