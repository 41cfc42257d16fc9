#@ what:    cpc accepts processor event names through libpfm4, and counts them or refuses for lack of a counter
ldconfig -p | grep -q libpfm.so.4 || { echo "libpfm is not installed"; exit 77; }
export LIBPFM_FORCE_PMU=skl
env -u DTRACE_REPRODUCIBLE $DTRACE -ln cpc:::inst_retired.any_p-all-1000000 2>&1 | grep -cE 'cpc .*inst_retired.any_p-all-1000000 *$|cannot count inst_retired.any_p: this machine has no such counter'
$DTRACE -ln cpc:::inst_retired.nosuch-all-1000000 2>&1 | grep -c 'failed to match'
