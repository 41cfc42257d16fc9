#@ what:    processes that use ptrace(2) themselves, such as strace, are not stopped, and a message reports this
#@ needs:   uprobe strace
$DTRACE -Z -x followchildren=exec -qn 'pid$target:no_such_library:called:entry { @ = count(); }' -c "sh -c 'strace -o $TMP/strace $PROGS/calls 3 >/dev/null; true'" 2>&1 | sed '/^$/d'
grep -c '^execve(' "$TMP/strace"
