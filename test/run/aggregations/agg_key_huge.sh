#@ what:    aggregation keys of two megabytes use memory only for keys that exist; before Linux 5.11, an error names the aggregation and the limit
keys=$(printf 's,%.0s' {1..32})
said=$( (ulimit -v 400000; $DTRACE -x strsize=65536 -x aggsize=16m -qn "BEGIN { s = \"x\"; @[${keys%,}] = count(); exit(0); }" 2>&1) | tr -s ' \n' ' ')
has_long_keys() { $DTRACE --doctor -x format=jsonl | grep '"name":"long-keys"' | grep -q '"works":true'; }
case $said in
*"the keys of @_ take 2097408 bytes, but this kernel accepts at most 262144 (Linux 5.11 or later accepts longer keys)"*)
    has_long_keys || said=' x x x 1 ' ;;
esac
echo "$said" | tail -c 10 | tr -d '\n'
