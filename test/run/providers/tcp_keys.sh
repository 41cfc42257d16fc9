#@ what:    tcp fields work as aggregation keys after predicates that read many fields
#@ needs:   root
"$DTRACE" -qn 'tcp:::connect-request,tcp:::connect-refused /args[3]->tcps_lport == 7002/ { @[probename, args[3]->tcps_rport] = count(); }' \
    -c "$PROGS/talk refused 46" | tr -s ' ' | grep .
