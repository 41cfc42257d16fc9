#@ what:    -x rotate=SIZE renames a full -o file to FILE.1, keeps the given number of files, and never splits a record
#@ needs:   syscall
log=$TMP/log
count='syscall::getppid:entry /pid == $target/ { printf("%d\n", n++); }'
umask 022
install -m 600 /dev/null "$log"
$DTRACE -o "$log" -x rotate=1k,2 -qn "$count" -c "$PROGS/storm 1000"
echo "status $?"
for file in "$log"*; do echo "${file##*/} $(stat -c %a "$file") $(head -n 1 "$file") $(tail -n 1 "$file")"; done
rm "$log"*
for format in text csv; do
    $DTRACE -o "$log" -x rotate=1,3 -x format=$format -n 'BEGIN { trace(1); } BEGIN { trace(2); @a = sum(7); } BEGIN { trace(3); exit(0); }' 2>/dev/null
    for file in "$log".3 "$log".2 "$log".1 "$log"; do
        [ ! -f "$file" ] || { echo "- ${file##*/}"; tr -d '\r' <"$file" | sed -E 's/^(clause.),[0-9]+,[0-9]+,/\1,NS,CPU,/; s/ +/ /g'; }
    done
    rm "$log"*
done
# If the file cannot be renamed, the tracer keeps writing to it and reports this once.
mkdir "$log.1"
$DTRACE -o "$log" -x rotate=1k,1 -qn "$count" -c "$PROGS/storm 1000" 2>&1
echo "status $? $(tail -n 1 "$log")"
$DTRACE -x rotate=1k -qn 'BEGIN { exit(0); }' 2>&1
echo "status $?"
