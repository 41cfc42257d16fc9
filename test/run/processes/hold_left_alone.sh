#@ what:    who may use ptrace(2) itself is left alone, which is said: strace works among followed processes
#@ needs:   uprobe strace
$DTRACE -Z -x follow=exec -qn 'pid$target:no_such_library:called:entry { @ = count(); }' -c "sh -c 'strace -o $TMP/strace $PROGS/calls 3 >/dev/null; true'" 2>&1 | sed '/^$/d'
grep -c '^execve(' "$TMP/strace"
