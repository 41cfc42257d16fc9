#@ what:    funccount.d counts the calls of a function of a program, given by name or by pattern
#@ needs:   uprobe
"$DTRACE" -s funccount.d a.out add8 -c "$PROGS/calls 10" | grep -v '^$'
"$DTRACE" -s funccount.d a.out 'add*' -c "$PROGS/calls 10" | awk '$2 == "add8" { print $2, $3 }'
