#@ what:    fsslower.d shows writes and syncs below a mount point that take longer than the limit, and no others
#@ needs:   syscall
copy="/bin/dd if=/dev/zero of=$TMP/file bs=1000 count=3 conv=fsync status=none"
"$DTRACE" -s fsslower.d 0 -c "$copy" | awk -v file="$TMP/file" 'index($7, file) { print $2, $3, $4, (index($7, $6) == 1), $6 }' >"$TMP/all"
cut -d ' ' -f 1-4 "$TMP/all"
mount=$(awk '{ print $5 }' "$TMP/all" | uniq)
for arguments in "0 $mount" "10000 $mount"; do
    # shellcheck disable=SC2086 # several words
    "$DTRACE" -s fsslower.d $arguments -c "$copy" | awk -v file="$TMP/file" 'index($7, file) { n++ } END { print n + 0 }'
done
