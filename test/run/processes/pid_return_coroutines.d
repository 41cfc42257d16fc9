/*@
 * what:    calls on several stacks end in another order than they began in, and each return is that of its own call
 * run:     -qs %file% -x aggsortkey -c '%progs%/coroutines 10'
 * expect:  exact
 * needs:   uprobe
 */
pid$target:a.out:works:return, pid$target:a.out:resumes:return { @[probefunc] = count(); @results[probefunc] = sum(arg1); }
END { printa("%s %@d %@d\n", @, @results); }
