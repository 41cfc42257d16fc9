#@ what:    a request that does not fit into the full table counts as a drop, request_done() frees an entry, and unfinished requests are reported at exit
run() { $DTRACE -qx dynvarsize=500 -n "$1" 2>&1 | sed 's/[0-9][0-9]* dynamic/N dynamic/'; }
run 'BEGIN { request_begin(1); } BEGIN { request_begin(2); } BEGIN { request_begin(3); printf("goes on\n"); }
    BEGIN { printf("%d%d%d\n", request(1) != 0, request(2) != 0, request(3) != 0); exit(0); }'
run 'BEGIN { request_begin(1); } BEGIN { request_begin(2); } BEGIN { request_done(1); request_begin(3); }
    BEGIN { printf("%d%d%d\n", request(1) != 0, request(2) != 0, request(3) != 0); exit(0); }'
