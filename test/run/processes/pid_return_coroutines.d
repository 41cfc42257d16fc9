/*@
 * what:    return probes of coroutines on several stacks fire with the result of their own call
 * run:     -qs %file% -x aggsortkey -c '%progs%/coroutines 10'
 * expect:  exact
 * needs:   uprobe
 */
pid$target:a.out:works:return, pid$target:a.out:resumes:return { @[probefunc] = count(); @results[probefunc] = sum(arg1); }
END { printa("%s %@d %@d\n", @, @results); }
