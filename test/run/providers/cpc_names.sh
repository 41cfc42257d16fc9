#@ what:    -l lists the cpc events of this machine; names with an unknown mode, count or event match nothing
$DTRACE -lP cpc | awk '{ print $NF }' | grep -cxE '(page_faults|context_switches|cpu_migrations|cpu_clock)-all-1000000000'
$DTRACE -ln cpc:::minor_faults-kernel-7 | awk 'NR == 2 { print $2, $3 }'
for name in page_faults-any-7 page_faults-all-x page_faults-all-0 page_faults-all nosuch-all-7 page_faults-all-7-7; do
    $DTRACE -ln cpc:::$name 2>&1 | grep -c 'failed to match\|does not match any probes'
done
env -u DTRACE_REPRODUCIBLE $DTRACE -ln cpc:::cycles-all-5000 2>&1 | grep -cE '^[0-9 ]*cpc .*cycles-all-5000 *$|cannot count cycles: this machine has no such counter'
