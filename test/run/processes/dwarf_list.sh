#@ what:    -lv lists the names and types of a function's parameters and the type of its result
types() { $DTRACE -lvn "$1" -c "$PROGS/$2" | grep 'args\[' | tr -d '\t'; }
types 'pid$target:a.out:pick:entry,pid$target:a.out:pick:return' typed
types 'pid$target:a.out:shop*open_box*:entry,pid$target:a.out:shop*length*:entry' typed_cxx
