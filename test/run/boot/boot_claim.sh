#@ what:    -A saves a program, --anonymous runs it in the background, and -a -e prints its results once and ends it
. ./anonymous.bash
cp "$PROGS/write_sizes" "$TMP/from_boot"
$DTRACE -A -qn 'BEGIN { printf("begins with %s\n", $$1); }
    syscall::write:entry /execname == "from_boot" && arg0 == 3/ { @ = sum(arg2); }
    END { printf("ends\n"); }' "a word" 2>&1 | sed "s|$TMP|TMP|"
$DTRACE --anonymous
"$TMP/from_boot" 1 16 16 4096 >/dev/null
$DTRACE -a -e >"$TMP/printed"
status=$?
grep . "$TMP/printed"
echo "status $status"
$DTRACE -a 2>&1
echo "status $?"
$DTRACE -x grabanon -e 2>&1
$DTRACE -A 2>&1 | sed "s|$TMP|TMP|"
$DTRACE -A 2>&1 | sed "s|$TMP|TMP|"
$DTRACE --anonymous 2>&1 | sed "s|$TMP|TMP|"
ls "$TMP/run"
