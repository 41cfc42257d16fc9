#@ what:    without /sys, the error reports the reason and the remedy, and nothing else
#@ needs:   host
unshare -m bash -c 'mount --make-rprivate / && umount -l /sys && "$1" -qn "BEGIN { exit(0); }"; echo $?' - "$DTRACE" 2>&1
