#@ what:    -x cost measures clauses that the engine library runs inside the traced program, and -x drops and -x hits agree on the number of lost records
#@ timeout: 60
. ./program.bash
serve --requests 600000
"$DTRACE" -qp $program -o traced -x cost -x drops -x hits -n 'BEGIN { printf("ready\n"); } app$target:::request { printf("%d\n", arg1); }' 2>messages & tracer=$!
begins $tracer
wait $program; echo "the program ends: $?"
kill -CONT $tracer
wait $tracer; echo "status $?"
lost=$(drops)
# Checks the probe's row in the cost table (-x cost), and then its row in the table of hits (-x hits).
sed 's/,//g' messages | awk -v lost="$lost" '
    /room in the buffer of a CPU$/ && $2 == "records" { print ($1 == lost ? "the ledger has it" : "ledger: " $1 " of " lost) }
    / app[0-9]*:live:serve:request$/ { if (NF == 8) print $1, ($3 > 0 && $3 <= $5 ? "timed" : "not timed: " $0); else print $1, $3 + $4, ($4 == lost && lost > 0 ? "likewise" : "firings: " $4 " of " lost) }'
