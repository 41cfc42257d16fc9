#@ what:    exitsnoop.d shows exit status, signal and age of processes that end
#@ needs:   syscall
printf '#!/bin/bash\n(exit 3)\n(kill -9 $BASHPID)\n/bin/sleep 0.1\n(exit 0)\n' >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -s exitsnoop.d -c "$TMP/script" 2>/dev/null >"$TMP/all"
awk 'NF == 7 && NR > 1 { print $5, $6, $7, ($7 != "sleep" || $3 >= 100) } /by/' "$TMP/all"
