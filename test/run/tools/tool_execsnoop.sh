#@ what:    execsnoop.d shows started programs with their parents, and failed starts, optionally of one name only
#@ needs:   syscall
printf '#!/bin/sh\n/bin/true one two\n/nonexistent 2>/dev/null\necho $$ >%s/pid\n' "$TMP" >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -s execsnoop.d -c "$TMP/script" >"$TMP/all"
awk -v script="$(cat "$TMP/pid")" '$3 == script { print $5, $6, $7 } /started/' "$TMP/all"
"$DTRACE" -s execsnoop.d nonexistent -c "$TMP/script" | awk '/error|started/'| sed 's/.* \//\//'
