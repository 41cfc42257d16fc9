#@ what:    -x sourcelines adds source lines and inlined functions to keys, JSON lines and folded stacks, also of an ended program
stacks() { $DTRACE -qx sourcelines "$@" -n 'pid$target:a.out:leaf:entry { @[ustack(2)] = count(); }' -c "$PROGS/inlined"; }
stacks | grep -c 'inner \[inlined\] (.*inlined.c:10)'
stacks -x format=jsonl | grep -o '[a-z`]*middle \[inlined\]'
stacks -x format=folded | sed 's/ ([^)]*)//g'
