#@ what:    mountsnoop.d shows mounts with type, source and target, unmounts, and mounts that the kernel refused
#@ needs:   root
mkdir "$TMP/here"
printf 'mount -t tmpfs nothing %s/here\numount %s/here\numount %s/here 2>/dev/null\n' "$TMP" "$TMP" "$TMP" >"$TMP/work"
"$DTRACE" -s mountsnoop.d -c "unshare -m sh $TMP/work" | awk '$NF ~ /here$/ { print $2, $3, $4, $5, $6 } /^[0-9]+ (done|refused)/'
