#@ what:    funclatency.d counts each call of a function in a histogram of call times
#@ needs:   uprobe
"$DTRACE" -s funclatency.d a.out add8 -c "$PROGS/calls 10" | awk '/nanoseconds/ { print } / \|/ { n += $NF } END { print n }'
