#@ what:    with -x followchildren=exec, calls that an exception leaves are counted, also in programs that children execute
#@ needs:   uprobe
printf '#!/bin/sh\n"%s" exceptions 10 >/dev/null\n"%s" exceptions 10 >/dev/null\nexit 0\n' "$PROGS/unwinds" "$PROGS/unwinds" >"$TMP/twice"
chmod +x "$TMP/twice"
$DTRACE -Z -x followchildren=exec -qn 'pid$target:unwinds:passes:return { @ = count(); }' -c "$TMP/twice" 2>&1 | grep . | sed 's/pid[0-9]*/pidN/' | sort
