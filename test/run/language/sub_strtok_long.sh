#@ what:    strtok() of long strings works, or the compiler names the feature that the kernel lacks
#@ needs:   syscall
$DTRACE -x strsize=2048 -qn 'BEGIN { text = "a-b"; trace(strtok(text, "-")); exit(0); }' 2>&1 |
    sed 's/.*strtok( ) of strings longer than 1024 bytes needs bpf_loop( ).*(Linux 5.17 or later has it).*/a/' | grep '^a'
