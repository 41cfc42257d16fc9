#@ what:    a classic opensnoop shell script, which passes its options to a D program as inlines, runs unmodified
#@ needs:   syscall open
# The script has the classic layout: the shell reads the options, and the D program is one quoted argument with gaps for shell variables.
opensnoop()
{
	opt_name=0; opt_file=0; opt_err=0; opt_time=0; filter=0; pname=. pathname=.
	while [ $# -gt 0 ]; do
		case $1 in
		-n) opt_name=1; pname=$2; shift ;;
		-f) opt_file=1; pathname=$2; shift ;;
		-x) opt_err=1 ;;
		-v) opt_time=1 ;;
		--) shift; break ;;
		esac
		shift
	done
	if [ $opt_name -eq 1 ] || [ $opt_file -eq 1 ]; then
		filter=1
	fi
	"$DTRACE" -n '
 #pragma D option quiet
 #pragma D option switchrate=10hz

 /*
  * Command line arguments
  */
 inline int OPT_time 	= '$opt_time';
 inline int OPT_name 	= '$opt_name';
 inline int OPT_file 	= '$opt_file';
 inline int OPT_err 	= '$opt_err';
 inline int FILTER 	= '$filter';
 inline string NAME 	= "'$pname'";
 inline string PATHNAME	= "'$pathname'";

 /* the columns */
 dtrace:::BEGIN
 {
	OPT_time ? printf("%-5s ", "STAMP") : 1;
	/* header */
	printf("%5s %-12s %3s %3s %s\n", "UID", "COMM", "FD", "ERR", "PATH");
 }

 /*
  * Remember the path: it may only be readable on return
  */
 syscall::open:entry,
 syscall::openat:entry
 /pid == $target/
 {
	self->pathp = probefunc == "openat" ? arg1 : arg0;
	self->ok = FILTER ? 0 : 1;
	OPT_name == 1 && NAME == execname ? self->ok = 1 : 1;
 }

 syscall::open*:return
 /self->pathp && OPT_file == 1 && copyinstr(self->pathp) == PATHNAME/
 {
	self->ok = 1;
 }

 /* print the event, unless only failures are wanted */
 syscall::open:return,
 syscall::openat:return
 /self->ok && (! OPT_err || (int)arg0 < 0)/
 {
	this->fd = (int)arg0 < 0 ? -1 : (int)arg0;
	printf("%5d %-12.12s %3d %3d %s\n", uid, execname, this->fd, errno, copyinstr(self->pathp));
 }

 /* cleanup */
 syscall::open:return,
 syscall::openat:return
 /self->pathp/
 {
	self->pathp = 0;
	self->ok = 0;
 }
' -c "$PROGS/open_files $*" | grep -v '/lib/\|/etc/ld'
}
exec 3>&- 4>&- # so that 3 is the first free descriptor of the target
cd "$TMP" || exit 1
: >present
opensnoop -- present absent ./present
echo "only failures"
opensnoop -x -- present absent
echo "only one name"
opensnoop -n nobody -- present
opensnoop -f absent -- present absent
