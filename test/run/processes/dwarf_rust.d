/*@
 * what:    args[] of Rust functions give access to references, structures, methods and enums with data
 * needs:   rust
 * run:     -qs %file% -c '%progs%/crab'
 * expect:  exact
 */
pid$target:a.out:crab??area:entry { printf("%d %d %d\n", args[1]->x, args[1]->y, args[0]->discriminant); }
pid$target:a.out:crab??inner??Account??deposit:entry { printf("%d %d %d %d\n", args[0]->number, args[0]->balance, args[0]->open, args[1]); }
pid$target:a.out:crab??inner??Account??deposit:return { printf("%d\n", args[1]); }
pid$target:a.out:crab??length:entry { printf("%s %d\n", stringof(copyin(arg0, arg1)), args[1]); }
