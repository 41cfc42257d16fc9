#@ what:    --postmortem reads records and aggregations from kernel memory, and prints the same output as the tracer itself
#@ needs:   guest
[[ -r /proc/kcore && $(ldconfig -p) == *libkdumpfile.so.10* ]] || { echo "no /proc/kcore, or libkdumpfile is not installed"; exit 77; }
cp "$PROGS/syscalls" "$TMP/recorded"
cat >"$TMP/program.d" <<'END'
#pragma D option quiet
#pragma D option bufpolicy=ring
#pragma D option aggsize=32k
BEGIN { print(*curthread->files); trace(curthread->comm); trace(-3); printf("\n"); freeze(); }
syscall::getppid:entry /execname == "recorded"/ {
    n++;
    @ = count(); @by[n % 2, probefunc] = sum(n); @times = quantize(n); @keys[n, stack(2)] = avg(n); @text[strjoin("text ", lltostr(n % 3))] = max(n);
    printf("%s %d %x\n", execname, n, n);
    this->s = speculation();
}
syscall::getppid:entry /execname == "recorded"/ { speculate(this->s); printf("guess %d\n", n); }
syscall::getppid:entry /execname == "recorded" && n % 2/ { commit(this->s); }
syscall::getppid:entry /execname == "recorded" && n % 2 == 0/ { discard(this->s); }
syscall::getppid:entry /execname == "recorded" && n == 7/ { stack(2); trace(*(int *)0); }
END
$DTRACE -o "$TMP/out" -s "$TMP/program.d" 2>"$TMP/err" & tracer=$!
until [[ -s $TMP/out || ! -d /proc/$tracer ]]; do sleep 0.1; done
cat "$TMP/err"
"$TMP/recorded" getppid 1500
$DTRACE --postmortem /proc/kcore >"$TMP/found" 2>"$TMP/said"
kill -TERM $tracer
wait $tracer
diff -B "$TMP/out" "$TMP/found" && (($(wc -l <"$TMP/found") > 3000)) && echo the same
grep -v ': line' "$TMP/said" | sed -E 's/.*of process [0-9]+: //; s/[0-9,]+ of them/N of them/; s/ID [0-9]+/ID N/; s/pc [0-9]+/pc N/'
