# Sourced by tests of -x pin. Runs $0 again in a mount namespace with its own BPF file system, and copies the storm program under a name that no other test uses.
[ -n "$MOUNTED" ] || MOUNTED=1 exec unshare -m bash "$0"
mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf
until_says() { until grep -q "$2" "$1" 2>/dev/null; do sleep 0.05; done; } # FILE REGEX
cp "$PROGS/storm" "$TMP/pin$$"
killed() { { kill -9 "$1"; wait "$1"; } 2>/dev/null; } # PID
