#@ what:    cpc accepts event names of the processor (libpfm4); if the machine cannot count the event, the error says so
ldconfig -p | grep -q libpfm.so.4 || { echo "libpfm is not installed"; exit 77; }
export LIBPFM_FORCE_PMU=skl
env -u DTRACE_REPRODUCIBLE $DTRACE -ln cpc:::inst_retired.any_p-all-1000000 2>&1 | grep -cE 'cpc .*inst_retired.any_p-all-1000000 *$|cannot count inst_retired.any_p: this machine has no such counter'
$DTRACE -ln cpc:::inst_retired.nosuch-all-1000000 2>&1 | grep -c 'failed to match'
