#@ what:    -l lists the probes of the target that match a description, and -lv also their stability
$DTRACE -ln 'pid$target:a.out:add8:entry,pid$target:a.out:add8:return' -c "$PROGS/calls 1" | sed 's/^ *[0-9]* *pid[0-9]*//; s/  */ /g'
$DTRACE -lvn 'pid$target:a.out:add8:entry' -c "$PROGS/calls 1" | grep -A3 'Argument Attributes' | sed 's/^[ \t]*//'
