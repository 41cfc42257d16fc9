#@ what:    aggregation keys of two megabytes use memory only for keys that exist
keys=$(printf 's,%.0s' {1..32})
(ulimit -v 400000; $DTRACE -x strsize=65536 -x aggsize=16m -qn "BEGIN { s = \"x\"; @[${keys%,}] = count(); exit(0); }" 2>&1) | tr -s ' \n' ' ' | tail -c 9
