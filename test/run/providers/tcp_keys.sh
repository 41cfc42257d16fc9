#@ what:    tcp: keys of an aggregation behind conditions that look at many data
#@ needs:   root
"$DTRACE" -qn 'tcp:::connect-request,tcp:::connect-refused /args[3]->tcps_lport == 7002/ { @[probename, args[3]->tcps_rport] = count(); }' \
    -c "$PROGS/talk refused 46" | tr -s ' ' | grep .
