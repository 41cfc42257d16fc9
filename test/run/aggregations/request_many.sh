#@ what:    requests that find no room are lost, counted as dynamic variables are, and not begun, while their clause goes on; one that is done makes room; those that never are are told
run() { $DTRACE -qx dynvarsize=500 -n "$1" 2>&1 | sed 's/[0-9][0-9]* dynamic/N dynamic/'; }
run 'BEGIN { request_begin(1); } BEGIN { request_begin(2); } BEGIN { request_begin(3); printf("goes on\n"); }
    BEGIN { printf("%d%d%d\n", request(1) != 0, request(2) != 0, request(3) != 0); exit(0); }'
run 'BEGIN { request_begin(1); } BEGIN { request_begin(2); } BEGIN { request_done(1); request_begin(3); }
    BEGIN { printf("%d%d%d\n", request(1) != 0, request(2) != 0, request(3) != 0); exit(0); }'
