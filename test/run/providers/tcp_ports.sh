#@ what:    tcp connection probes have ports, flags and sequence numbers in their header argument, although no packet exists
#@ needs:   root
for kind in tcp refused; do
    "$DTRACE" -qn 'tcp:::connect-established,tcp:::connect-refused,tcp:::accept-established
    /args[4]->tcp_sport >= 7001 && args[4]->tcp_sport <= 7003/
    {
        printf("%s from %d to %d, flags %x, %d\n", probename, args[4]->tcp_sport, args[4]->tcp_dport, args[4]->tcp_flags & (TH_SYN | TH_RST | TH_ACK),
            args[4]->tcp_ack == args[3]->tcps_snxt);
    }' -c "$PROGS/talk $kind 46m" | grep .
done | sort
