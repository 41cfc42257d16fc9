#@ what:    while the output disk is full, records beyond 16 MiB are dropped as a whole and reported later
#@ lost:    output
#@ needs:   syscall
[ -n "$ALONE" ] || ALONE=1 exec unshare -m bash "$0"
set -m
log=$TMP/disk/log err=$TMP/err
mkdir "$TMP/disk"
mount -t tmpfs -o size=40m none "$TMP/disk"
dd if=/dev/zero of="$TMP/disk/other" bs=1M count=64 2>/dev/null
cat >"$TMP/traced" <<END
#!/bin/bash
"$PROGS/storm" 20000 1
: >"$TMP/stormed"
until [ -e "$TMP/over" ]; do sleep 0.1; done
END
chmod +x "$TMP/traced"
$DTRACE -x drops -x bufsize=16m -o "$log" -qn 'syscall::getppid:entry /execname == "storm" && progenyof($target)/ { printf("%0999d\n", n++); }' -c "$TMP/traced" 2>"$err" &
until [ -e "$TMP/stormed" ]; do sleep 0.1; done
kill -USR1 $! # the table of drops is printed after all records were read
until grep -q 'clauses.*ended by a fault' "$err"; do sleep 0.1; done
rm "$TMP/disk/other"
until grep -q 'output continues; ' "$err"; do sleep 0.1; done
kill -TERM $!
wait $!
echo "status $?"
: >"$TMP/over"
read -r bytes records < <(sed -n 's/,//g; s/^dtrace: output continues; \([0-9]*\) bytes of \([0-9]*\) records were not written$/\1 \2/p' "$err")
awk -v records="$records" -v bytes="$bytes" 'length && length != 999 { cut = 1 } length { n++ }
    END { print (cut ? "cut" : "whole"), (n + records == 20000 ? "all" : n " and " records), (bytes == records * 1000), (records > 1000) }' "$log"
tr -d , <"$err" | awk -v records="$records" '/ output: the output could not be written/ { told = $1 } END { print (told == records) }'
umount "$TMP/disk"
