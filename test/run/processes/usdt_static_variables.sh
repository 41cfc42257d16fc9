#@ what:    a probe reads the static variable of its own source file where another file has one of that name: by debug information, else by the file symbols, else not at all
#@ needs:   uprobe x86-64 objcopy
traced() { $DTRACE -qn "$2"' { printf("%s %d\n", probename, arg0); }' -c "$1" 2>&1 | sed -n '/^[a-z-]* -[0-9]*$/p; s/.*cannot be read: //p'; }
traced "$PROGS/twins" 'twins$target:::'
traced "$PROGS/twins_plain" 'twins$target:::*-static'
traced "$PROGS/twins_plain" 'twins$target:::first-global'
$DTRACE -qn 'twins$target:::second-global { trace(args[0]); }' -c "$PROGS/twins_plain" 2>&1 | sed -n 's/.*cannot be read: //p'
# Without file symbols nothing tells.
objcopy --strip-debug "$PROGS/twins_plain" "$TMP/stripped"
traced "$TMP/stripped" 'twins$target:::first-static'
