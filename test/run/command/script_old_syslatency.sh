#@ what:    a classic script that reports the number, errors and latency of a process's system calls runs unmodified
#@ needs:   syscall
cat >"$TMP/syslatency.d" <<'EOF'
#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option dynvarsize=16m
#pragma D option aggsortkey

/* times are kept in nanoseconds and shown in microseconds */
inline int NS_PER_US = 1000;
inline int DEBUG = 0;

int	calls;			/* all calls that returned */
uint64_t start;
self uint64_t ts;
self string what;

dtrace:::BEGIN
{
	start = timestamp;
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall:::entry
/pid == $target/
{
	self->ts = timestamp;
	self->what = probefunc;
	@calls[probefunc] = count();
}

syscall:::return
/self->ts/
{
	this->elapsed = timestamp - self->ts;

	@time[probefunc] = quantize(this->elapsed);
	@total[probefunc] = sum(this->elapsed);
	@avg["average, us", probefunc] = avg(this->elapsed / NS_PER_US);
	@least[probefunc] = min(this->elapsed);
	@most[probefunc] = max(this->elapsed);
	@same = sum(self->what == probefunc ? 0 : 1);

	self->ts = 0;
	self->what = 0;
	calls++;
}

/* failures, by name and number */
syscall:::return
/pid == $target && errno != 0/
{
	@errs[execname, probefunc, errno] = count();
}

syscall::exit_group:entry
/pid == $target/
{
	printf("%s is done%s\n", execname, DEBUG ? " (debugging)" : "");
}

dtrace:::END
{
	this->sec = (timestamp - start) / 1000000000;
	printf("calls: %s, names that differ: ", calls >= 40 ? "enough" : "too few");
	printa("%@d", @same);
	printf("\n%16s %8s\n", "SYSCALL", "CALLS");
	printa("%16s %@8d\n", @calls);

	normalize(@total, 1000);
	printf("\n%-16s %10s %10s %10s\n", "SYSCALL", "TOTAL(us)", "MIN(ns)", "MAX(ns)");
	printa("%-16s %@10d %@10d %@10d\n", @total, @least, @most);

	printf("\nTime for system calls (ns):\n");
	printa("  %s%@d\n", @time);

	printf("Averages:\n");
	printa("\t%s %-16s %@d\n", @avg);

	clear(@calls);
	trunc(@errs);
}
EOF
chmod +x "$TMP/syslatency.d"
# Replaces the times in the output by a word, and reduces the printed distribution to the sum of its last column.
"$DTRACE" -s "$TMP/syslatency.d" -c "$PROGS/syscalls getppid 40" >"$TMP/out"
sed -e '/^ *[0-9]* |/d; /value  -----/d' -e 's/^\(getppid\)  *[0-9]*  *[0-9]*  *[0-9]*$/\1 times/; s/us getppid  *[0-9]*$/us getppid/' "$TMP/out"
awk '/^ *[0-9]+ \|/ { n += $NF } END { print n " measured" }' "$TMP/out"
