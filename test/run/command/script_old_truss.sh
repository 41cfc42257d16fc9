#@ what:    a classic truss script, with an inline for each option and a clause for each output layout, runs unmodified
#@ needs:   syscall
cat >"$TMP/truss" <<'WRAPPER'
#!/bin/sh
opt_follow=0; opt_elapsed=0; opt_counts=0; opt_trace=0; trace=.
while getopts cet: name
do
	case $name in
	c)	opt_counts=1 ;;
	e)	opt_elapsed=1 ;;
	t)	opt_trace=1; trace=$OPTARG ;;
	*)	echo "USAGE: truss [-ce] [-t syscall] command" >&2; exit 1 ;;
	esac
done
shift `expr $OPTIND - 1`

$DTRACE -x dynvarsize=4m -x evaltime=postinit -n '
#pragma D option quiet
#pragma D option switchrate=10

/* Inlines that the shell sets from the command line arguments */
inline int OPT_follow  = '$opt_follow';
inline int OPT_elapsed = '$opt_elapsed';
inline int OPT_counts  = '$opt_counts';
inline int OPT_trace   = '$opt_trace';
inline string TRACE    = "'$trace'";

dtrace:::BEGIN 
{
	/* print header */
	OPT_elapsed == 1 ? printf("%7s ","ELAPSD") : 1;
	printf("SYSCALL(args) \t\t = return\n");

	/* globals */
	trackedpid[pid] = 0;
	self->child = 0;
	this->type = 0;
}

/* Save syscall entry info */
syscall:::entry
/pid == $target/
{
	/* set start details */
	self->start = timestamp;
	self->arg0 = arg0;
	self->arg1 = arg1;
	self->arg2 = arg2;

	/* count occurrences */
	OPT_counts == 1 && !OPT_trace ? self->counted = 1 : 1;
}

syscall:::entry /self->counted/ { @Counts[probefunc] = count(); self->counted = 0; }

/* Check the options */
syscall:::return
/self->start && OPT_trace == 1 && TRACE != probefunc/ { self->start = 0; }

syscall:::return
/self->start/
{
	/* calculate elapsed time */
	this->elapsed = timestamp - self->start;
	self->start = 0;
	self->code = errno == 0 ? "" : "Err#";
	self->done = 1;
	OPT_elapsed == 1 ? printf("%7s ", this->elapsed / 1000 < 1000000000 ? "ok" : "slow") : 1;
}

/* print 3 args, return as hex */
syscall::rt_sigprocmask:return, syscall::lseek:return, syscall::rt_sig*:return
/self->done/
{
	printf("%s(0x%X, 0x%X, 0x%X)\t\t = 0x%X %s%d\n", probefunc,
	    self->arg0, self->arg1, self->arg2, arg0, self->code, (int)errno);
	self->done = 0;
}

/* print 3 args, arg1 as a string */
syscall::openat:return, syscall::faccessat:return,
syscall::newfstatat:return, syscall::readlinkat:return
/self->done/
{
	printf("%s(0x%X, \"%S\", 0x%X)\t\t = %d %s%d\n", probefunc, (uint32_t)self->arg0,
	    copyinstr(self->arg1), self->arg2, (int)arg0, self->code, (int)errno);
	self->done = 0;
}

/* print 3 args, arg1 as data */
syscall::write:return,
syscall::read:return
/self->done/
{
	printf("%s(0x%X, \"%s\", 0x%X)\t\t = %d %s%d\n", probefunc, self->arg0,
	    arg0 == -1 ? "" : stringof(copyin(self->arg1, self->arg2 < 16 ? self->arg2 : 16)), self->arg2, (int)arg0,
	    self->code, (int)errno);
	self->done = 0;
}

/* the default: three numbers */
syscall:::return
/self->done/
{
	printf("%s(0x%X, 0x%X, 0x%X)\t\t = %d %s%d\n", probefunc,
	    self->arg0, self->arg1, self->arg2, (int)arg0, self->code, (int)errno);
	self->done = 0;
}

/* reset unused variables */
syscall:::return
/self->arg2 || self->arg1 || self->arg0/
{
	self->arg0 = 0; self->arg1 = 0; self->arg2 = 0;
}

/* print counts */
dtrace:::END
{
	OPT_counts == 1 ? printf("\n%-32s %16s\n", "CALL", "COUNT") : 1;
	OPT_counts == 1 ? printf("%-32s %16s\n", "----", "-----") : 1;
}

dtrace:::END /OPT_counts == 1/ { printa("%-32s %@16d\n", @Counts); }
' -c "$*"
WRAPPER
chmod +x "$TMP/truss"
exec 3>&- 4>&- # so that 3 is the first free descriptor of the target
cd "$TMP" || exit 1
strip() { sed 's/^\(close(0x[0-9A-F]*\), .*)/\1)/'; } # close(2) has one argument; the other registers hold arbitrary values
: >file
./truss "$PROGS/open_files" file none | strip
./truss -c "$PROGS/open_files" file none | sed -n '/^CALL/,$p'
./truss -e -t openat "$PROGS/open_files" none | strip
./truss -q 2>&1 | tail -n 1
