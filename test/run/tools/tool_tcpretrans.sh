#@ what:    tcpretrans.d shows the retransmission of a lost byte, and not more lines than the kernel counts retransmissions
#@ needs:   root
"$DTRACE" -s tcpretrans.d 7001 -c "$PROGS/talk lossy 4" | awk '$2 == "127.0.0.1:7002" && $4 == 1 { print $2, $3, $4, ($5 > 0), $6 }' | uniq
# On a busy machine a late acknowledgement may cause retransmissions.
"$DTRACE" -s tcpretrans.d 7001 -n 'sdt:tcp::tcp_retransmit_skb /$1 == 7001/ { @kernel = sum(1); } END { printa("kernel %@d\n", @kernel); }' -c "$PROGS/talk tcp 4" |
    awk '$2 == "127.0.0.1:7002" { shown++ } $1 == "kernel" { sent = $2 } END { if (shown > sent) print shown " shown, " sent + 0 " sent again" }'
