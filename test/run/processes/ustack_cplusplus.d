/*@
 * what:    functions of C++ and their like are shown in stacks as the author wrote them
 * run:     -qs %file% -c '%progs%/shop 1'
 * expect:  regex
 */
pid$target:a.out:greet:entry { ustack(1); usym(uregs[R_PC]); }
