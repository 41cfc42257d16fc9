#@ what:    without -p and -c, traceid is known in a process if a loaded library publishes the OpenTelemetry context, with each TLS access model
#@ needs:   syscall
for way in module offset described large; do
    cp "$PROGS/contexts_loaded" "$TMP/ctx_$way"
    "$TMP/ctx_$way" "$PROGS/libcontext_$way.so" & loaded=$!
    $DTRACE -qn 'syscall::getppid:entry /execname == "ctx_'$way'" && traceid != ""/ { printf("'$way' %s %s\n", traceid, spanid); exit(0); }'
    kill $loaded
    wait $loaded 2> /dev/null || :
done
