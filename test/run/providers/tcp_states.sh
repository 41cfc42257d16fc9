#@ what:    tcp:::state-change gives the old and new state of both ends and the listener, for IPv4, IPv6 and resets
#@ needs:   root
for kind in tcp reset; do
    "$DTRACE" -qn 'tcp:::state-change /args[3]->tcps_state != TCP_STATE_TIME_WAIT && (args[3]->tcps_lport == 7001 || args[3]->tcps_lport == 7002)/
    {
        printf("%d %s %d %s: %s %s\n", args[3]->tcps_lport, args[3]->tcps_laddr, args[3]->tcps_rport, args[3]->tcps_raddr,
            tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
    }' -c "$PROGS/talk $kind 46" | grep . | sort -s -k1,2 | sed 's/state-//g'
done
