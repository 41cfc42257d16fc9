#@ what:    the kernel accepts the programs of all run tests, including with counters and timing, and on the build machine at every level of the optimizer
#@ timeout: 300
load=$(dirname "$(readlink -f "$GENERATE")")/load_programs
for settings in opt=0 opt=1 opt=2 'hits -x cost'; do
    case $DTRACE_GUEST$settings in 1opt=*) continue ;; esac # programs with counters contain all code of programs without them
    "$load" -x $settings ../run/*/*.d >"$TMP/said" 2>/dev/null || sed '$d' "$TMP/said"
    [ "$(sed -n '$s/ programs loaded$//p' "$TMP/said")" -ge 450 ] || tail -n 1 "$TMP/said"
done
