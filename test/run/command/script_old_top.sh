#@ what:    a classic script that prints the busiest system calls every interval and a summary at the end runs unmodified
#@ needs:   syscall
cat >"$TMP/topsys.d" <<'END'
#!/usr/sbin/dtrace -s
/*
 * topsys.d - busiest system calls, like top(1).
 *
 * USAGE:	topsys.d [top [screens]]
 */
#pragma D option quiet
#pragma D option destructive
#pragma D option defaultargs
#pragma D option switchrate=20hz
#pragma D option aggrate=50ms
#pragma D option bufsize=256k

inline int TOP = $1 ? $1 : 10;		/* default of 10 lines */
inline int SCREENS = $2 == 0 ? 1 : $2;

uint64_t	screens;
uint64_t	total, interval;

dtrace:::BEGIN
/$$3 != ""/
{
	printf("USAGE: %s [top [screens]]\n\t%s\n", $$0 == "" ? "topsys.d" : "topsys.d",
	    "eg, topsys.d 5");
	exit(2);
}

dtrace:::BEGIN
{
	secs = 1;
	printf("Sampling... Please wait.\n");
}

syscall:::entry
/progenyof($target) && execname == "syscalls"/
{
	@num[execname, probefunc] = count();
	@all[probefunc] = count();
	total++; interval++;
}

syscall::exit_group:entry
/progenyof($target) && execname == "syscalls"/
{
	ended++;
}

profile:::tick-10ms
/secs > 0 && --secs == 0 &&
    total == 0/
{ printf("nothing yet\n"); }

/*
 * print one screen when there is something on it
 */
profile:::tick-50ms
/interval >= 400 && ended &&
    screens < SCREENS/
{
	trunc(@num, TOP);
	printf("%-16s %-12s %8s\n", "CMD", "SYSCALL", "COUNT");
	printa("%-16s %-12s %@8d\n", @num);
	trunc(@num);
	interval = 0;
	screens++;
}

profile:::tick-50ms
/screens >= SCREENS/ { exit(0); }

dtrace:::END
/total/
{
	printf("\n%d screen%s, Total: %s\n", screens, screens == 1 ? "" : "s",
	    total < 20 ? "few" : total < 1000 ? "some" : "many");
	trunc(@all, 1);
	clear(@all);
	printa("%s %@d\n", @all);
}
END
printf '#!/bin/sh\n%s\n' "$PROGS/syscalls getppid 400" "exec $PROGS/sleeper" >"$TMP/target"
chmod +x "$TMP/target"
"$DTRACE" -s "$TMP/topsys.d" -c "$TMP/target" 1 | grep -v nothing
"$DTRACE" -s "$TMP/topsys.d" 1 2 3
echo "status $?"
