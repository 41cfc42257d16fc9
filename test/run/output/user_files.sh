#@ what:    -x user=NAME gives new -o files to that user, also after rotation and SIGHUP, and keeps the owner of existing files
log=$TMP/log
run() { $DTRACE -o "$log" -qn 'BEGIN { printf("1\n"); } BEGIN { printf("2\n"); } BEGIN { printf("3\n"); exit(0); }' "$@" 2>&1 | sed "s:$TMP:TMP:"; }
says() { for file in "$log"*; do echo "$1: ${file##*/} $(stat -c '%U:%G %a' "$file") $(grep -c . "$file")"; done; rm -f "$log"*; }
umask 077
run -x user=daemon
says made
install -m 600 /dev/null "$log"
run -x user=daemon
says 'was there'
run -x user=daemon -x rotate=1,2
says rotated
weak="setpriv --bounding-set -dac_override --inh-caps -dac_override"
for i in 1 2; do
    $weak $DTRACE -o "$log" -x user=daemon -qn 'BEGIN { printf("1\n"); exit(0); }'
done
says 'written on'
$DTRACE -o "$log" -x user=daemon -qn 'BEGIN { printf("1\n"); } END { printf("2\n"); }' & tracer=$!
until grep -qs 1 "$log"; do sleep 0.02; done
mv "$log" "$log.old"
kill -HUP $tracer
until [ -e "$log" ]; do sleep 0.02; done
kill -TERM $tracer
wait $tracer
says reopened
ln -s "$TMP/elsewhere" "$log"
run -x user=daemon
rm "$log"
run -x user=nosuch
ls "$TMP"
$DTRACE -o "$log" -qn '#pragma D option user=daemon
BEGIN { exit(0); }' 2>&1
echo "status $?"
