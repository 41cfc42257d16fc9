#@ what:    after a tracer was killed, another tracer can trace the same program; if the program is killed, the trace prints all records and ends
#@ timeout: 60
. ./program.bash
serve
"$DTRACE" -qp $program -n 'app$target:::request { printf("first\n"); }' >first & tracer=$!
until grep -q first first 2>/dev/null; do sleep 0.05; done
{ kill -9 $tracer; wait $tracer; } 2>/dev/null
"$DTRACE" -qp $program -n 'int64_t before; app$target:::request { printf("%d\n", arg1); @ = count(); }' >second 2>messages & tracer=$!
until [ "$(cat second 2>/dev/null | grep -c .)" -ge 20 ]; do sleep 0.05; done
{ kill -9 $program; wait $program; } 2>/dev/null
wait $tracer; echo "status $?"
# Checks that the second tracer has a record of every request: the requests have consecutive numbers.
grep -v '^$\|  ' second | awk 'NR > 1 && $1 != (last + 1) % 2000 { print "missing behind", last } { last = $1 }'
sed 's/process [0-9]*/process N/; s/up to [0-9]* of/up to N of/' messages | sort -u
