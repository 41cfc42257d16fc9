#@ what:    funccount.d counts ten calls of a program's function, by name and by pattern
#@ needs:   uprobe
"$DTRACE" -s funccount.d a.out add8 -c "$PROGS/calls 10" | grep -v '^$'
"$DTRACE" -s funccount.d a.out 'add*' -c "$PROGS/calls 10" | awk '$2 == "add8" { print $2, $3 }'
