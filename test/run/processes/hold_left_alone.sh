#@ what:    a process that uses ptrace(2), such as strace, is not stopped to attach probes, and a message says so
#@ needs:   uprobe strace
$DTRACE -Z -x followchildren=exec -qn 'pid$target:no_such_library:called:entry { @ = count(); }' -c "sh -c 'strace -o $TMP/strace $PROGS/calls 3 >/dev/null; true'" 2>&1 | sed '/^$/d'
grep -c '^execve(' "$TMP/strace"
