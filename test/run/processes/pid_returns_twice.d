/*@
 * what:    return probes on functions that return twice, such as setjmp() and vfork(), fire and do not change the program's behaviour
 * run:     -qs %file% -x aggsortkey -c '%progs%/returns_twice 3'
 * expect:  exact
 * needs:   uprobe
 */
pid$target:libc*:_setjmp:return, pid$target:libc*:__sigsetjmp:return, pid$target:libc*:getcontext:return, pid$target:libc*:swapcontext:return,
pid$target:libc*:vfork:return { @fired[probefunc] = count(); }
END { printa("%s\n", @fired); }
