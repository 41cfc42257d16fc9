#@ what:    lockcontention.d shows that a thread waits for a terminal's mutex while another thread reads from the terminal
#@ needs:   syscall
"$DTRACE" -s lockcontention.d -c "$PROGS/locks wait 1" |
    awk '$1 == "adaptive-block" && $3 { print $1, $2, ($4 >= 20000000), ($5 >= 20000) } /n_tty_read/ { reads = 1 } END { print reads }'
