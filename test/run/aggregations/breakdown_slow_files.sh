#@ what:    on a slow FUSE file system, breakdown() counts page faults as part "fault", and reads and name lookups as part "disk"
#@ needs:   syscall
. ./known_parts
[ -e /dev/fuse ] || load_module fs/fuse/fuse || { echo "fuse cannot be loaded"; exit 77; }
for part in mapped buffered named; do cp "$PROGS/reads" "$TMP/part_$part"; done
mkdir "$TMP/files"
known_parts 'mapped:fault buffered:disk named:disk' "sh -c 'for part in mapped:file buffered:file named:late; do $PROGS/slow_files 15 $TMP/files $TMP/part_\${part%:*} $TMP/files/\${part#*:} 4 \${part%:*}; done >$TMP/truth'"
grep -q '^mapped truth [0-9]\{8\}' "$TMP/truth" && echo at least 10 ms
