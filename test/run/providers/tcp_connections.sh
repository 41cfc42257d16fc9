#@ what:    tcp probes fire once for each requested, established, accepted and refused connection, with the addresses of both ends
#@ needs:   root
for kind in tcp refused; do
    "$DTRACE" -qn 'tcp:::connect-request,tcp:::connect-established,tcp:::connect-refused,tcp:::accept-established,tcp:::accept-refused
    /args[3]->tcps_lport >= 7001 && args[3]->tcps_lport <= 7003/
    {
        printf("%s %s:%d %s:%d %d %d\n", probename, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_local,
            args[3]->tcps_state);
        printf("    v%d %s %s, socket %d\n", args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr, args[1]->cs_addr != 0 && args[1]->cs_addr == args[3]->tcps_addr);
    }' -c "$PROGS/talk $kind 46m" | grep .
done
