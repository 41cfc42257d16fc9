#@ what:    a classic profile script that uses %Y, tick probes and a countdown runs unmodified
#@ needs:   profile
"$DTRACE" -n '
#pragma D option quiet
#pragma D option aggsortrev

dtrace:::BEGIN
{
	seconds = 3;
	self->nothing = 0;
	printf("%Y ", walltimestamp); printf("pid %s\n", $$target == "0" ? "none" : "given");
}

/* kernel pc is 0 in user mode, user pc is 0 in the kernel */
profile:::profile-997hz
/pid == $target && execname == "burn"/
{
	@mode[arg1 ? "user" : "kernel"] = count();
	@cpus[cpu >= 0 ? "cpu" : "?"] = count();
	hits++;
}

profile:::profile-97
/pid == $target/
{ @lq = lquantize(cpu, 0, 1024, 1); others++; this->stack = ustackdepth; @deep = max(this->stack > 0); }

profile:::tick-100ms
/ hits && !( --seconds ) /
{
	printf("%s\n", hits > 0 ? "some" : "none");
	trunc(@cpus, 0);
}

profile:::tick-1sec, profile:::tick-30s
/ hits > 50 && others > 1 && seconds <= 0 /
{
	exit(0);
}

END
{
	printf("%s %s\n", hits > 50 ? "busy" : "idle", seconds <= 0 ? "counted down" : "too short");
	clear(@mode);
	printa("%8s %@d\n", @mode);
	trunc(@mode); trunc(@lq); trunc(@cpus);
	printa("user stacks: %@d\n", @deep);
}
' -c "$PROGS/burn 600000" >"$TMP/out"
sed -e 's/^[12][0-9]\{3\} [A-Z][a-z][a-z] [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] /DATE /' -e '/kernel 0/d' "$TMP/out"
