#@ what:    randomly generated aggregations print the results that the manual's rules predict
#@ needs:   root python3
#@ timeout: 120
count=${COUNT:-40}
[ -n "$DTRACE_GUEST" ] && count=${COUNT:-10}
../../fire/aggregations --count "$count" --seed "${FIRST_SEED:-1}" | sed "s/^$count aggregation/all aggregation/"
