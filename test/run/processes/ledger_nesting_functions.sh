#@ what:    a kernel function probe that finds no free scratch memory counts under drop reason nesting
#@ lost:    nesting
#@ needs:   guest kprobe no-kprobe.multi
#@ timeout: 120
modes=/sys/kernel/debug/sched/preempt
[ -w $modes ] || mount -t debugfs none /sys/kernel/debug
[ -e $modes ] || { echo "this kernel cannot be made preemptible while it runs (CONFIG_PREEMPT_DYNAMIC)" && exit 77; }
before=$(sed 's/.*(\(.*\)).*/\1/' $modes)
echo full >$modes
# With fexit each function has its own program, and the kernel never runs a program inside itself. (In this kernel, no uprobe program interrupts another one on the same CPU.)
calls='getpid getppid getuid gettid close sched_yield'
for call in $calls; do echo "\"$PROGS/syscalls\" $call 3000 &"; done >"$TMP/calls"
echo wait >>"$TMP/calls"
probes=$(printf 'fbt::__[dx]*_sys_%s:return,' $calls)
long=$(for i in $(seq 200); do printf '@[%d] = max(strlen(strjoin(execname, probefunc)));' "$i"; done)
until grep -q 'nested too deep' "$TMP/err" 2>/dev/null; do
    taskset -c 0 $DTRACE -x drops -x hits -x aggsize=16m -qn "${probes%,} /ppid == \$target/ { $long }" -c "sh $TMP/calls" >/dev/null 2>"$TMP/err" || break
done
echo "$before" >$modes
awk '/ drops? on CPU .*nested too deep/ { told += $2 } / nesting: / { gsub(",", "", $1); nesting = $1 }
    / FIRED / { probes = /PROBE$/ }
    probes && $NF ~ /^fbt:.*:return$/ && $1 ~ /^[0-9]+$/ { lost += $4; wrong += $1 != $2 + $3 + $4 }
    END { print "as told:", (told == nesting), " some:", (nesting > 0), " lost:", (lost == nesting), " adds up:", (wrong == 0) }' "$TMP/err"
