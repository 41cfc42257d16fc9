#@ what:    a pid probe on a system call instruction is refused because it would kill the program, and -lv says so
refusal='5: the kernel cannot run a copy of this instruction at another address, as a probe needs'
[ "$(uname -m)" != aarch64 ] || refusal='4: the kernel allows no probe on an instruction that calls it or another exception level'
"$PROGS/opener" "$PROGS/libcalled.so" again &
target=$!
until grep -q 'r-x.*libcalled' "/proc/$target/maps"; do sleep 0.02; done
$DTRACE -lvn 'pid$target:libcalled:called:*' -p $target 2>&1 | grep -o 'no probe for .*' | sed "s/pid$target/pid/; s/called:$refusal/called:REFUSED/"
$DTRACE -qn 'pid$target:libcalled:called: /!seen[probename]/ { seen[probename] = 1; ++n; } tick-20ms /n == 4/ { printf("entry, return and the others\n"); exit(0); }' -p $target
kill -0 $target && echo "it lives"
exec 2>/dev/null # hides the messages of bash about killed jobs
kill $target
