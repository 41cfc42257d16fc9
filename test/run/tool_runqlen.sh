#@ what:    runqlen.d: of two threads that want the same CPU one waits
#@ needs:   syscall
printf '#!/bin/bash\ntaskset -c 0 %s/burn 250 &\ntaskset -c 0 %s/burn 250\nwait\n' "$PROGS" "$PROGS" >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -s runqlen.d -c "$TMP/script" | awk '/CPU/ { cpu = $NF } / \|/ && $1 >= 1 && cpu == 0 { n += $NF } END { print (n >= 10) }'
