#@ what:    for an unknown option or value, the hint suggests a similar option or lists the valid values
for option in bufsiz=1 quite format=json evaltime=soon maxcost=150% maxcost cost=often pin=a/b printsize=much flamegraph ring; do
    $DTRACE -x $option -en BEGIN 2>&1 | tail -1
done
