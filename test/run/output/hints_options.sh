#@ what:    the hint for an unknown option or option value suggests close names and lists valid values
for option in bufsiz=1 quite format=json evaltime=soon maxcost=150% maxcost cost=often pin=a/b printsize=much flamegraph ring; do
    $DTRACE -x $option -en BEGIN 2>&1 | tail -1
done
