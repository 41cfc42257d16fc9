#@ what:    if the output disk is full, the trace continues, tries to write every second, counts lost records, and never writes part of a record
#@ needs:   syscall profile
[ -n "$ALONE" ] || ALONE=1 exec unshare -m bash "$0"
set -m
log=$TMP/disk/log err=$TMP/err
mkdir "$TMP/disk"
disk() { # SIZE KILOBYTES: mounts a disk of SIZE, and fills KILOBYTES of it with another file
    mount -t tmpfs -o size=$1 none "$TMP/disk"
    dd if=/dev/zero of="$TMP/disk/other" bs=1k count=$2 2>/dev/null
    : >"$err"
}
until_told() { until grep -qE "$1" "$err"; do sleep 0.05; done; }
whole() { awk 'NF && (length != 999 || $0 + 0 != n++) { wrong = 1 } END { print (n == 0 || wrong ? "wrong" : "whole") }' "$log"; }

# When the disk has space again, the tracer writes the records that it has stored meanwhile.
disk 1m 1000
$DTRACE -o "$log" -qn 'tick-10ms { printf("%0999d\n", n++); }' 2>"$err" &
until_told 'cannot write output'
rm "$TMP/disk/other"
until_told 'output continues'
kill -TERM $!
wait $!
echo "status $?"
whole
sed 's/^dtrace: //' "$err"
umount "$TMP/disk"

# Here the disk stays full until the end of the run. The last record in the file is complete, and the missing records
# are counted.
disk 64k 1
$DTRACE -o "$log" -qn 'syscall::getppid:entry /pid == $target/ { printf("%0999d\n", n++); }' -c "$PROGS/storm 2000" 2>"$err"
echo "status $?"
whole
missing=$((2000 - $(wc -l <"$log")))
grep -v 'retrying every second' "$err" | sed -nE 's/^dtrace: (lost: |cannot write output .No space left on device.: )//p' | tr -d , |
    sed "s/^$missing records/ALL records/; s/^${missing}000 bytes of $missing records/ALL/"
umount "$TMP/disk"
