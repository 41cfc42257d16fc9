#@ what:    capable.d shows which capability a process needs to change a priority, when permitted and when refused
#@ needs:   kprobe python3
printf 'import os\nos.setpriority(os.PRIO_PROCESS, 0, -5)\nos.setuid(12345)\ntry:\n    os.setpriority(os.PRIO_PROCESS, 0, -6)\nexcept PermissionError:\n    pass\n' >"$TMP/work.py"
"$DTRACE" -s capable.d -c "python3 $TMP/work.py" 2>"$TMP/errors" | awk '$5 == "CAP_SYS_NICE" { print $1, $3, $4, $6 }' | uniq
