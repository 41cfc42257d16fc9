/*@
 * what:    return probes on setjmp(), vfork() and similar functions fire without disturbing the program
 * run:     -qs %file% -x aggsortkey -c '%progs%/returns_twice 3'
 * expect:  exact
 * needs:   uprobe
 */
pid$target:libc*:_setjmp:return, pid$target:libc*:__sigsetjmp:return, pid$target:libc*:getcontext:return, pid$target:libc*:swapcontext:return,
pid$target:libc*:vfork:return { @fired[probefunc] = count(); }
END { printa("%s\n", @fired); }
