#@ what:    tcp:::state-change fires when the end that closes first enters the state time-wait, although the kernel uses a smaller socket for this state
#@ needs:   kprobe
"$DTRACE" -qn 'tcp:::state-change /args[3]->tcps_state == TCP_STATE_TIME_WAIT && args[3]->tcps_lport == 7002/
{
    printf("%s %d %s %d %s\n", args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, tcp_state_string[args[5]->tcps_state]);
}' -c "$PROGS/talk tcp 46" | grep .
