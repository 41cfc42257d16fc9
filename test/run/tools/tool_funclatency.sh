#@ what:    funclatency.d puts each call of a function into its histogram
#@ needs:   uprobe
"$DTRACE" -s funclatency.d a.out add8 -c "$PROGS/calls 10" | awk '/nanoseconds/ { print } / \|/ { n += $NF } END { print n }'
