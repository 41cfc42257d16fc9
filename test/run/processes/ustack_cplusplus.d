/*@
 * what:    stacks show functions of C++, Rust and similar languages by their source names
 * run:     -qs %file% -c '%progs%/shop 1'
 * expect:  regex
 */
pid$target:a.out:greet:entry { ustack(1); usym(uregs[R_PC]); }
