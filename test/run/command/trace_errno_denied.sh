#@ what:    --trace-errno prints each kernel function that returned the error of a failed open, with the function's arguments and stack
#@ needs:   kprobe
file=$TMP/secret
echo secret > "$file"
chmod 0 "$file"
chmod 755 "$TMP"
$DTRACE --trace-errno 'syscall::openat:return /errno == EACCES/' -c "setpriv --reuid 65534 --clear-groups cat $file $file" > "$TMP/out" 2> "$TMP/err"
sed -E 's/\[[0-9]+\]/[PID]/; s/0x[0-9a-f]+/0x/g; s/(generic|inode)_permission/permission/' "$TMP/out" | grep -E 'failed|returned' 
grep -cE '^ +vmlinux`(path_openat|do_filp_open)' "$TMP/out"
grep -vE 'Permission denied|: attaching ' "$TMP/err"
:
