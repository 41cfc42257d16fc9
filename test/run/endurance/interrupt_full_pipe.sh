#@ what:    SIGINT detaches all probes even if the output pipe is full, and a second SIGINT ends the process
#@ needs:   syscall profile
# Function "links PID": counts the attached BPF programs of the tracer PID, which has a file descriptor for each of them.
links() { for f in /proc/"$1"/fdinfo/*; do grep -qs '^link_type' "$f" && echo; done | wc -l; }
wait_until() { until eval "$1"; do sleep 0.1; done; }
mkfifo "$TMP/pipe"
sleep 1000 <>"$TMP/pipe" &
reader=$!
disown
set -m
$DTRACE -qn 'BEGIN, profile-97, syscall::getppid:entry { printf("%02000d\n", n++); }' >"$TMP/pipe" 2>/dev/null &
pid=$!
wait_until '[ "$(links $pid)" -gt 0 ]'
sleep 1.5 # the pipe is full after a few samples
echo "attached: $(($(links $pid) > 0))"
kill -INT $pid
wait_until '[ "$(links $pid)" = 0 ]'
echo "attached: $(($(links $pid) > 0))"
sleep 0.6 # an earlier signal would count as part of the first interrupt
kill -INT $pid
wait $pid
echo "status $?"
kill $reader
