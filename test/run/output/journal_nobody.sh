#@ what:    -x format=journal refuses to start if no journal listens on its socket, with and without -o
none() { unshare -m sh -c 'mount -t tmpfs none /run && exec "$0" "$@"' "$@"; }
begin='BEGIN { trace("begun"); exit(0); }'
$DTRACE -o "$TMP/none" -x format=journal -qn "$begin" 2>&1 | sed "s|$TMP|TMP|"
echo "status ${PIPESTATUS[0]}"
: >"$TMP/file"
$DTRACE -o "$TMP/file" -x format=journal -qn "$begin" 2>&1 | sed "s|$TMP|TMP|"
none $DTRACE -x format=journal -qn "$begin" 2>&1
echo "status $?"
$DTRACE -o "$TMP/file" -qn '#pragma D option format=journal
'"$begin" 2>&1
echo "status $?"
