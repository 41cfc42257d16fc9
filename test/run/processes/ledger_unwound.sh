#@ what:    returns that do not happen because an exception leaves the function count under drop reason unwound
#@ lost:    unwound
#@ needs:   uprobe
$DTRACE -x format=jsonl -x drops -qn 'pid$target:a.out:passes:return { @ = count(); }' -c "$PROGS/unwinds exceptions 3" 2>/dev/null |
    sed -n 's/^{"type":"losses","cause":"\([a-z_]*\)".*"count":\([1-9][0-9]*\),.*/\1 \2/p'
