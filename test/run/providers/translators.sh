#@ what:    all members of the built-in translators compile, and all provider probes that this kernel supports attach
awk '/^translator / { output = $2; input = $0; sub(/^[^<]*< */, "", input); sub(/[A-Za-z]+ *> *{.*/, "", input) }
     /^[?!]?[a-z_.]*\t[a-z_0-9]+ =/ && output {
         sub(/^[?!][^\t]*/, "")
         printf "%s\t%s\t%s\n", output, input, $1 ~ /^pr_(start|c?time)$/ ? $1 ".tv_sec" : $1 == "pr_lwp" ? $1 ".pr_pri" : $1
     }
     /^};/ { output = "" }' ../../../dcompiler/library/*.d | sort -u >$TMP/members
[ $(wc -l <$TMP/members) -gt 150 ] || echo "$(wc -l <$TMP/members) members only"
cut -f 1,2 $TMP/members | sort -u | while IFS=$'\t' read -r output input; do
    awk -F '\t' -v o="$output" -v i="$input" '$1 == o && $2 == i {
        printf "BEGIN { trace(xlate <%s> ((%s)%s).%s); }\n", o, i, i ~ /\*/ ? "NULL" : "0", $3
    }' $TMP/members >$TMP/all.d
    $DTRACE -es $TMP/all.d || echo "$output < $input >"
done 2>&1
for provider in io ip tcp udp sched proc lockstat vminfo sysinfo fsinfo mib nfsv3 nfsv4 list; do
    $DTRACE -qn "$provider::: { @ = sum(arg0 + arg1 + arg2 + arg3 + arg4); } BEGIN { exit(0); }" 2>&1 | grep -v '\(fsinfo\|nfsv[34]\)::: does not match any probes\|this kernel has neither kprobes\| drops\? \|dtrace: lost: \|: attaching ' | grep dtrace:
done
exit 0
