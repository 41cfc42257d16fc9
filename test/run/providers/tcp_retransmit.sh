#@ what:    tcp:::send fires for the first transmission of a byte and again for each retransmission
#@ needs:   root
"$DTRACE" -qn 'tcp:::send /args[3]->tcps_lport == 7002 && args[2]->ip_plength > args[4]->tcp_offset/ { trace(args[3]->tcps_retransmit); trace("\n"); }' \
    -c "$PROGS/talk lossy 4" | grep . | uniq | tr -d ' '
