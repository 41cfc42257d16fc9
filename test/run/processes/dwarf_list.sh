#@ what:    -lv lists names and types of parameters, and the return type
types() { $DTRACE -lvn "$1" -c "$PROGS/$2" | grep 'args\[' | tr -d '\t'; }
types 'pid$target:a.out:pick:entry,pid$target:a.out:pick:return' typed
types 'pid$target:a.out:shop*open_box*:entry,pid$target:a.out:shop*length*:entry' typed_cxx
