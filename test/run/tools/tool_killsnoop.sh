#@ what:    killsnoop.d shows signals that were sent, and failed kill(2) calls, optionally of one signal number only
#@ needs:   syscall
printf '#!/bin/bash\ntrap : USR1\nkill -USR1 $$\nkill -9 99999999\n' >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -s killsnoop.d -c "$TMP/script" 2>/dev/null | awk '$2 == "script" { print $2, $3, $4, ($1 == $5 ? "itself" : $5), $6, $7 } /^signal/' | sed 's/ *$//'
"$DTRACE" -s killsnoop.d 9 -c "$TMP/script" 2>/dev/null | grep -c '^signal'
