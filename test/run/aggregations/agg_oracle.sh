#@ what:    dtrace prints randomly generated aggregations exactly as the rules of the manual page predict
#@ needs:   root python3
#@ timeout: 120
count=${COUNT:-40}
[ -n "$DTRACE_GUEST" ] && count=${COUNT:-10}
../../fire/aggregations --count "$count" --seed "${FIRST_SEED:-1}" | sed "s/^$count aggregation/all aggregation/"
