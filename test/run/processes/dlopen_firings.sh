#@ what:    -x hits counts hits of probes in libraries loaded during the trace
$DTRACE -x hits -Zqn 'pid$target:a.out:once_again:entry { } pid$target:libcalled*:called:entry /++n > 5/ { exit(0); }' -c "$PROGS/opener $PROGS/libcalled.so again" 2>&1 |
    awk '/ PROBE$/ { on = 1 } on && /once_again/ { print $1, $3 == $1, $NF } on && /called:entry/ { print $1, $2, $3, $NF }' | sed 's/pid[0-9]*/pid/' | sort
