#@ what:    the programs of all run tests are accepted by the kernel, those of the build machine at every level of the optimizer
#@ timeout: 120
load=$(dirname "$(readlink -f "$GENERATE")")/load_programs
for level in 0 1 2; do
    [ -z "$DTRACE_GUEST" ] || [ $level = 2 ] || continue
    "$load" --opt $level ../run/*/*.d >"$TMP/said" 2>/dev/null || sed '$d' "$TMP/said"
    [ "$(sed -n '$s/ programs loaded$//p' "$TMP/said")" -ge 450 ] || tail -n 1 "$TMP/said"
done
