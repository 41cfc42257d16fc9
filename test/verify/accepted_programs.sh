#@ what:    the kernel accepts the programs of all run tests, including with counters and timing; LEVELS="0 1 2" adds levels of the optimizer
#@ timeout: 300
load=$(dirname "$(readlink -f "$GENERATE")")/load_programs
for level in counters ${LEVELS:-}; do
    case $level in
    counters) settings='hits -x cost' ;; # contains all code of programs without counters
    *) settings=opt=$level ;;
    esac
    "$load" -x $settings ../run/*/*.d >"$TMP/said" 2>/dev/null || sed '$d' "$TMP/said"
    [ "$(sed -n '$s/ programs loaded$//p' "$TMP/said")" -ge 450 ] || tail -n 1 "$TMP/said"
done
