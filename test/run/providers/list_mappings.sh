#@ what:    list:::vma fires exactly once for each mapping of a process that /proc contains; list:::map for each BPF map of the trace itself
#@ needs:   python3
if ! $DTRACE -ln list:::vma >/dev/null 2>$TMP/why; then
    grep -q 'no BPF iterator task_vma, which Linux has from 5.12 on' $TMP/why && printf '100\n1\n' || cat $TMP/why
    exit
fi
cat >$TMP/work.py <<P
import mmap, os
os.truncate(os.open("$TMP/file", os.O_RDWR | os.O_CREAT), 3 * mmap.PAGESIZE)
file = os.open("$TMP/file", os.O_RDWR)
# every second page of a file, so that the kernel cannot merge the mappings
shared = [mmap.mmap(file, mmap.PAGESIZE, mmap.MAP_SHARED, mmap.PROT_READ, offset=mmap.PAGESIZE * (i % 2 * 2)) for i in range(100)]
print("ready", flush=True)
input()
P
coproc WORK { exec python3 $TMP/work.py; }
pid=$WORK_PID
read -r <&${WORK[0]}
$DTRACE -qn 'list:::vma /args[1]->pr_pid == $1/ { printf("%08x-%08x %s%s%s%s %d %s\n", args[0]->vi_start, args[0]->vi_end, args[0]->vi_prot & 1 ? "r" : "-",
    args[0]->vi_prot & 2 ? "w" : "-", args[0]->vi_prot & 4 ? "x" : "-", args[0]->vi_shared ? "s" : "p", args[0]->vi_page, args[0]->vi_pathname); }' -c true $pid |
    sed "/^$/d; s/ *$//; s| [^ ]*/| |" >$TMP/listed
page=$(getconf PAGESIZE)
# Only the names of files are compared, because in a guest the kernel's paths begin outside of the test's root. Names in brackets are those of
# mappings without a file. [vsyscall] is no mapping of the process.
sed '/\[vsyscall\]/d; s/\[.*\]//' /proc/$pid/maps | while read -r range mode offset device inode path; do
    echo "$range $mode $((0x$offset / page)) $path"
done | sed 's/ *$//; s| [^ ]*/| |' >$TMP/there
diff $TMP/there $TMP/listed && grep -c "r--s [02] file" $TMP/listed
$DTRACE -qn 'list:::map /stringof(args[0]->name) == "buffers"/ { @ = count(); } END { printa("buffers %@d\n", @); }' -c true | grep -c 'buffers [1-9]'
echo >&${WORK[1]}
wait $pid
