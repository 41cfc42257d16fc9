#@ what:    expressions nested 150 levels deep compile and run within the 512-byte BPF stack
repeat() { for i in $(seq "$2"); do printf '%s' "$1"; done; }
nested() { echo "$(repeat "$1" "$3")$2$(repeat ')' "$3")"; }
keys() { echo "$(repeat "$1" "$3")$2$(repeat ']' "$3")"; }
run() { $DTRACE -qn "$1"; echo; }
run "BEGIN { x = 1; trace($(nested '(x + ' 1 150)); exit(0); }"
run "BEGIN { x = 1; trace($(nested '(x == 2 ? 3 : x + ' 1 75)); exit(0); }"
run "BEGIN { x = 5; trace($(nested '(x ^^ ' 0 151)); exit(0); }"
run "BEGIN { a[0] = 1; a[1] = 0; trace($(keys 'a[' 0 75)); exit(0); }"
run "BEGIN { self->a[0, 1] = 1; trace($(keys 'self->a[self->a[0, 1] - 1, ' 1 75)); exit(0); }"
run "BEGIN { s[\"a\"] = \"a\"; trace($(keys 's[' '"a"' 40)); exit(0); }"
run "BEGIN /$(nested '(pid - ' pid 151) == 0/ { trace(\"odd\"); exit(0); }"
