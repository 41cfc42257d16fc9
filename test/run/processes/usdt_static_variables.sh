#@ what:    a USDT argument that is a static variable is read from the source file of its probe; if this file is unknown, the argument is not read
#@ needs:   uprobe x86-64 objcopy
traced() { $DTRACE -qn "$2"' { printf("%s %d\n", probename, arg0); }' -c "$1" 2>&1 | sed -n '/^[a-z-]* -[0-9]*$/p; s/.*cannot be read: //p'; }
traced "$PROGS/twins" 'twins$target:::'
traced "$PROGS/twins_plain" 'twins$target:::*-static'
traced "$PROGS/twins_plain" 'twins$target:::first-global'
$DTRACE -qn 'twins$target:::second-global { trace(args[0]); }' -c "$PROGS/twins_plain" 2>&1 | sed -n 's/.*cannot be read: //p'
# Two source files have a static variable with the same name. Without debug information and file symbols, it is unknown which variable a probe passes.
objcopy --strip-debug "$PROGS/twins_plain" "$TMP/stripped"
traced "$TMP/stripped" 'twins$target:::first-static'
