#@ what:    a bundle made by --bundle and run by --run-bundle prints the same output as the script, also from a base64 copy
cd "$TMP" || exit
cat >script.d <<'D'
#pragma D option quiet
#pragma D option aggsortrev
BEGIN { printf("%s %d %s %s\n", probename, $1, $$2, $0); @q = quantize($1); @["a", $1] = sum(7); @["b", 1] = sum(5); }
syscall::getppid:entry, syscall::getpid:return /execname == "nobody is called so"/ { @["c", 2] = sum(1); }
BEGIN { n = *(int *)1; }
BEGIN { exit(3); }
END { printa("%s %d %@d\n", @); printa(@q); trace("end"); }
D
script=$($DTRACE -Cs script.d 42 word 2>&1; echo "status $?")
$DTRACE --bundle one -Cs script.d 42 word || echo "no bundle"
rm script.d
mkdir elsewhere && cd elsewhere || exit
echo "$script" | sed 's/ at BPF pc.*//'
for bundle in ../one - twice letters; do
    cat ../one ../one >twice
    base64 <../one >letters
    [ "$($DTRACE --run-bundle $bundle 2>&1 <../one; echo "status $?")" = "$script" ] && echo "the same: $bundle"
done
$DTRACE --run-bundle ../one -x format=jsonl -o records 2>messages
echo "status $?: $(grep -c '^{' records) lines of JSON"
$DTRACE --run-bundle ../one -x strsize=10 2>&1
$DTRACE --run-bundle ../one -n BEGIN 2>&1
exit 0
