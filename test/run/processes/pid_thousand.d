/*@
 * what:    a program with probes on a thousand functions counts each call
 * needs:   uprobe.multi
 * run:     -qs %file% -c '%progs%/thousand 20'
 * expect:  exact
 */
pid$target:a.out:f[0-9]*:entry { @all = count(); @some[probefunc] = count(); }
END { printa("%@d\n", @all); trunc(@some, 2); printa("%@d\n", @some); }
