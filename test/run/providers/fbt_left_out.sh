#@ what:    fbt patterns omit functions that are dangerous to probe unless -x fbtall is set, and -lv gives the reason
#@ needs:   guest kprobe
$DTRACE -lvn 'fbt::rcu_note_contex*:entry' 2>&1 | grep -o 'no probe for fbt:vmlinux:rcu_note_context_switch: .*'
$DTRACE -x fbtall -ln 'fbt::rcu_note_contex*:entry' | awk '/rcu_note/ { print $4 }'
$DTRACE -ln 'fbt::__rcu_*:entry, fbt::is_endbr*:entry' 2>&1 | grep -c ' __rcu_\| is_endbr ' # these exist in preemptible kernels, or in new ones
$DTRACE -lvn 'fbt::__schedul*:entry' 2>&1 | grep -o 'no probe for fbt:vmlinux:__schedule: .*'
