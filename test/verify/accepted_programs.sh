#@ what:    the programs of all run tests are accepted by the kernel, also when each counts and times itself; on the build machine as they are too, at every level of the optimizer
#@ timeout: 300
load=$(dirname "$(readlink -f "$GENERATE")")/load_programs
for settings in opt=0 opt=1 opt=2 'firings -x cost'; do
    case $DTRACE_GUEST$settings in 1opt=*) continue ;; esac # what counts itself has all that a program has without it
    "$load" -x $settings ../run/*/*.d >"$TMP/said" 2>/dev/null || sed '$d' "$TMP/said"
    [ "$(sed -n '$s/ programs loaded$//p' "$TMP/said")" -ge 450 ] || tail -n 1 "$TMP/said"
done
