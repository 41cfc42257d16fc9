#@ what:    nspid and nstid give the ids of a process inside its own pid namespace
#@ needs:   syscall
unshare -fp --kill-child=KILL "$PROGS/sleeper" &
until child=$(pgrep -P $! -x sleeper); do sleep 0.02; done
traced=$($DTRACE -qn 'syscall::clock_nanosleep:entry, syscall::nanosleep:entry /pid == $target/ { printf("%d %d %d\n", pid, nspid, nstid); exit(0); }' -p "$child")
read -r _ outside inside <<<"$(grep NSpid: "/proc/$child/status" | awk '{ print $1, $(NF - 1), $NF }')"
[ "$traced" = "$outside $inside $inside" ] && [ "$inside" = 1 ] && echo "as in /proc" || echo "$traced, not $outside $inside"
kill "$child"
