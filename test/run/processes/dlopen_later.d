/*@
 * what:    probes in a library loaded during the trace fire from the first call on, and use the same variables and aggregations
 * run:     -x aggsortkey -Zqs %file% -c '%progs%/opener %progs%/libcalled.so again'
 * expect:  exact
 */
int rounds, calls;
string last;
pid$target:a.out:once_again:entry { ++rounds; }
pid$target:a.out:once_again:entry,pid$target:libcalled*:called:entry { @[probemod, probefunc] = count(); last = probefunc; }
pid$target:libcalled*:called:return /arg1 > 0/ { ++calls; self->in = last; }
pid$target:a.out:once_again:return /calls > 3 && calls == rounds + 1/
{
	printf("%s\n", self->in);
	exit(0);
}
END { printa("%s`%s\n", @); }
