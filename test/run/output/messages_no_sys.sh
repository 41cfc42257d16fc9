#@ what:    without /sys the reason and the remedy are told, and nothing else
#@ needs:   host
unshare -m bash -c 'mount --make-rprivate / && umount -l /sys && "$1" -qn "BEGIN { exit(0); }"; echo $?' - "$DTRACE" 2>&1
