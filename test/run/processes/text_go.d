/*@
 * what:    Go strings are strings in D: as arguments, as members, and through pointers
 * needs:   go
 * run:     -qs %file% -c '%progs%/gopher 2'
 * expect:  exact
 */
pid$target:a.out:main.greet:entry
/args[0] == "gopher2"/
{
	printf("%s %d %s\n", args[0], strlen(args[0]), strjoin(args[0], "!"));
	printf("%d %d %s %s\n", args[1].Number, args[1].Paid, args[1].Name, args[2]->Name);
	@[args[0], stringof(args[1].Name)] = count();
}
pid$target:a.out:main.store:entry { printf("%s %d %d\n", args[0], args[0].len, args[0].array[1]); }
