#@ what:    generated programs have equal results by the language's rules, constant folding, the virtual machine and this kernel
#@ needs:   syscall
#@ timeout: 240
count=${COUNT:-120}
[ -n "$DTRACE_GUEST" ] && count=${COUNT:-30}
"$(dirname "$(readlink -f "$GENERATE")")/differential_test" --kernel --count "$count" --seed "${FIRST_SEED:-1}" | sed "s/^$count programs/all programs/"
