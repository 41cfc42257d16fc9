#@ what:    if /sys is not mounted, dtrace prints one message, with this reason and the mount command
#@ needs:   host
unshare -m bash -c 'mount --make-rprivate / && umount -l /sys && "$1" -qn "BEGIN { exit(0); }"; echo $?' - "$DTRACE" 2>&1
