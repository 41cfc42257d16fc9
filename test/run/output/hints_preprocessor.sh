#@ what:    a #define or #include line without -C is an error with a hint to -C
unset DTRACE_REPRODUCIBLE
for directive in '#define N 1' '#include "x.h"' '#nosuch'; do
    printf '%s\nBEGIN { }\n' "$directive" >"$TMP/script.d"
    printf '%s\t' "$directive"
    $DTRACE -es "$TMP/script.d" 2>&1 | sed -n 's/^ *= //p'
    echo
done | sed '/^$/d'
