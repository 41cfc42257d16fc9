#@ what:    statsnoop.d shows stat calls of an existing and of a missing file
#@ needs:   syscall
printf '#!/bin/bash\n[ -e /nonexistent ]\n[ -e /dev/zero ]\n' >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -s statsnoop.d -c "$TMP/script" | awk '$6 == "/nonexistent" || $6 == "/dev/zero" { print $2, $4, $6 }'
