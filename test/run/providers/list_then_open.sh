#@ what:    list:::file and syscall::openat:return together miss no file that a process opens while the trace starts
#@ needs:   python3
# The process closes no file, so each new descriptor is the number after the last one. Listed and opened descriptors
# must therefore be consecutive numbers.
cat >$TMP/work.py <<P
import os, resource, time
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
first = os.open("/dev/null", os.O_RDONLY)
print(first, flush=True)
while True:
    os.open("/dev/null", os.O_RDONLY)
    time.sleep(0.005)
P
cat >$TMP/until_more <<P
until [ \$(ls /proc/\$1/fd | wc -l) -gt \$((\$2 + 200)) ]; do sleep 0.1; done
P
coproc WORK { exec python3 $TMP/work.py; }
pid=$WORK_PID
read -r first <&${WORK[0]}
$DTRACE -qn 'list:::file /args[1]->pr_pid == $1/ { printf("listed %d\n", args[2]); } syscall::openat:return /pid == $1 && arg0 > 0/ { printf("opened %d\n", arg0); }' \
    -c "bash $TMP/until_more $pid $(ls /proc/$pid/fd | wc -l)" $pid >$TMP/seen
kill $pid
for how in listed opened; do
    grep -q $how $TMP/seen || echo "no file was $how"
done
awk -v first=$first '$2 >= first { print $2 }' $TMP/seen | sort -nu | awk -v first=$first '$1 != first + NR - 1 { print "missing before", $1; exit } END { print "from the first on" }'
