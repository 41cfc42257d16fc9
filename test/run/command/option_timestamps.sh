#@ what:    -x timestamps prints the time of day before a record if the record starts a new line
without_time() { sed -E 's/^[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{6} /TIME /'; }
$DTRACE -x timestamps -qn 'BEGIN { printf("one "); printf("two\nthree\n"); } BEGIN { printf("four "); } BEGIN { printf("five\n"); printf("six\n"); exit(0); }' |
    without_time
$DTRACE -x timestamps -n 'BEGIN { trace(7); exit(0); }' 2>/dev/null | without_time | sed 's/  */ /g'
before=$(date +%T)
at=$($DTRACE -x timestamps -qn 'BEGIN { printf("now\n"); exit(0); }' | cut -c 1-8 | head -n 1)
after=$(date +%T)
[[ $before > $after || ( ! $at < $before && ! $at > $after ) ]] || echo "$at is not from $before to $after"
