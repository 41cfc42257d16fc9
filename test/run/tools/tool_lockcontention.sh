#@ what:    lockcontention.d shows that a thread waits for a terminal's mutex while another thread reads from the terminal
#@ needs:   syscall
# On some kernels the tracer prints how long it takes to attach to the functions that wait.
"$DTRACE" -s lockcontention.d -c "$PROGS/locks wait 1" 2>$TMP/err |
    awk '$1 == "adaptive-block" && $3 { print $1, $2, ($4 >= 20000000), ($5 >= 20000) } /n_tty_read/ { reads = 1 } END { print reads }'
grep -v 'attaching .* functions by .*: about' $TMP/err >&2 || true
