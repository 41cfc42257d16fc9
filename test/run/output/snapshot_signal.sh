#@ what:    SIGUSR1 prints the aggregations with the current time, and tracing continues with unchanged values
#@ needs:   syscall
set -m
begin() # waits until the tracer blocks SIGUSR1; from then on no signal is missed
{
    : >"$TMP/out"
    $DTRACE "$@" >"$TMP/out" 2>/dev/null &
    pid=$!
    until ((0x0$(sed -n 's/^SigBlk:\s*//p' /proc/$pid/status) & 1 << 9)); do sleep 0.05; done
}
ask() { kill -USR1 $pid && until (($(grep -c "$1" "$TMP/out") == $2)); do sleep 0.05; done; }
end() { kill -TERM $pid; wait $pid; echo "status $?"; }
begin -qn 'BEGIN { printf("begun\n"); @a["key"] = sum(42); @b = max(7); printa("%@d\n", @b); } END { printf("end\n"); }'
ask key 1
ask key 2
end
tr -s ' ' <"$TMP/out"
program='BEGIN { @a["key"] = sum(42); @q["key"] = quantize(1); }'
declare -A lines=([jsonl]=2 [csv]=4 [folded]=1)
for format in jsonl csv folded; do
    begin -x format=$format -qn "$program"
    ask . "${lines[$format]}"
    end
    tr -d '\r' <"$TMP/out" | sed -E 's/"ts":[0-9]+,"time":"[^"]+Z"/TIME/; s/^(@.),[0-9]+,/\1,NS,/; s/^# 2[0-9-]+T[0-9:.]+Z$/# TIME/'
done
unset DTRACE_REPRODUCIBLE
begin -qn "$program"
ask '^2[0-9][0-9][0-9] [A-Z][a-z][a-z] [ 0-3][0-9] [0-9]*:[0-9]*:[0-9]*$' 1
end
