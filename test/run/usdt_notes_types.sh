#@ what:    -lv has the types of a note's arguments, and says why one cannot be had
#@ needs:   uprobe
$DTRACE -lvn 'forms$target:::low,forms$target:::float-form' -c "$PROGS/notes 1" | grep -E 'args\[|notes|arg1' | sed 's/^ *[0-9]* *forms[0-9]* */forms /; s/[[:space:]][[:space:]]*/ /g'
