#@ what:    signals.d shows signals that a process handled or ignored
#@ needs:   syscall
printf '#!/bin/bash\ntrap : USR1\ntrap "" URG\nkill -USR1 $$\nkill -URG $$\n' >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -s signals.d -c "$TMP/script" | awk 'NR > 1 && NF == 7 { print $2, $3, $4 == $6, $5, $7 } /^signal/'
"$DTRACE" -s signals.d 23 -c "$TMP/script" | grep -c '^signal'
