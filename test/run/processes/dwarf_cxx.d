/*@
 * what:    args[] of C++ functions give access to base classes, nested types, references, templates and objects passed by address
 * run:     -qs %file% -c '%progs%/typed_cxx'
 * expect:  exact
 */
pid$target:a.out:shop??Item??sell*:entry
{
	printf("%d %d %d %d %s\n", args[1], args[2], args[0]->id, args[0]->price, stringof(args[0]->name));
	printf("%d %d %d\n", args[0]->state, args[0]->label.width, sizeof(struct Item) == sizeof(*args[0]));
}
pid$target:a.out:*open_box*:entry { printf("%d %d %d\n", args[0]->inside, args[0]->count, args[1]->id); }
pid$target:a.out:shop??length*:entry { printf("%s %d\n", stringof(args[0]->_M_dataplus._M_p), args[1]); }
pid$target:a.out:shop??show*:entry { printf("%s %d\n", stringof(args[0]->text), ``_ZN4shop4Item4madeE); }
