/*@
 * what:    returns of coroutine calls on several stacks match their own calls
 * run:     -qs %file% -x aggsortkey -c '%progs%/coroutines 10'
 * expect:  exact
 * needs:   uprobe
 */
pid$target:a.out:works:return, pid$target:a.out:resumes:return { @[probefunc] = count(); @results[probefunc] = sum(arg1); }
END { printa("%s %@d %@d\n", @, @results); }
