#@ what:    fields of the tcp socket at its close agree with the bytes sent and with TCP_INFO
#@ needs:   root
"$DTRACE" -qn 'tcp:::send /args[3]->tcps_lport == 7002 && args[4]->tcp_flags & TH_FIN/
{
    printf("sent %d %d %d %d\n", args[4]->tcp_seq - args[3]->tcps_iss, args[4]->tcp_seq - args[3]->tcps_snxt, args[4]->tcp_seq - args[3]->tcps_suna,
        args[4]->tcp_seq - args[3]->tcps_sack_snxt);
    printf("heard %d %d\n", args[4]->tcp_ack - args[3]->tcps_rnxt, args[4]->tcp_ack - args[3]->tcps_irs);
    printf("window %d\n", args[4]->tcp_window - (args[3]->tcps_rwnd >> args[3]->tcps_rcv_ws));
    printf("%d %d %d %d %d %d %d %d %d\n", args[3]->tcps_rtt, args[3]->tcps_rtt_sd, args[3]->tcps_rto, args[3]->tcps_mss, args[3]->tcps_snd_ws,
        args[3]->tcps_rcv_ws, args[3]->tcps_cwnd, args[3]->tcps_cwnd_ssthresh, args[3]->tcps_swnd);
}' -c "$PROGS/talk info 46" | grep . | sort >"$TMP/all"
grep -E '^[a-z]' "$TMP/all"
grep -E '^[0-9]' "$TMP/all" | uniq -c | awk '{ lines += $1; odd += $1 % 2 } END { print lines, odd }' # each line occurs twice, because both programs print it
