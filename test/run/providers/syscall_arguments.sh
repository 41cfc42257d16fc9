#@ what:    syscall probes have as many arguments as the kernel's tracepoint description, and the same ones are pointers
#@ needs:   root
# Runs in its own mount namespace, so that no other process sees tracefs.
mkdir $TMP/tracefs
unshare -m sh -c "mount -t tracefs none $TMP/tracefs && cd $TMP/tracefs/events/syscalls && grep -H 'field:' sys_enter_*/format" |
    awk -F: '!/common_|__syscall_nr/ { sub(/^sys_enter_/, "", $1); sub(/\/format$/, "", $1); sub(/;.*/, "", $3); shape[$1] = shape[$1] ($3 ~ /\*/ ? "p" : "n") }
        /__syscall_nr/ { sub(/^sys_enter_/, "", $1); sub(/\/format$/, "", $1); shape[$1] = shape[$1] "" }
        END { for (call in shape) print call, shape[call] }' | sort >$TMP/kernel
# On a kernel older than the tracer's table of system calls, messages name the calls that the kernel does not have.
$DTRACE -lvn 'syscall:::entry' 2>$TMP/told | awk '$NF == "entry" { call = $(NF - 1); shape[call] = "" } /args\[[0-9]\]:/ { shape[call] = shape[call] (/\*/ ? "p" : "n") }
        END { for (call in shape) print call, shape[call] }' | sort >$TMP/dtrace
# The argument types of these calls are typedefs of pointers, so the arguments count as pointers.
sed -i 's/^\(capget\|capset\) .*/\1 pp/' $TMP/kernel $TMP/dtrace
grep -v 'this kernel does not have the system call' $TMP/told >&2 || true
comm -23 $TMP/kernel $TMP/dtrace
awk 'END { print (NR > 250) }' $TMP/kernel
