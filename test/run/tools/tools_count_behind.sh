#@ what:    tools that print histograms accept an interval and a count after the argument that selects what they trace
#@ needs:   root
$DTRACE -s syslatency read 1 2 2>&1 | grep -c CALLS
$DTRACE -s syslatency '' 1 1 2>&1 | grep -c CALLS
$DTRACE -s biosize nowhere 1 1 | grep .; echo "${PIPESTATUS[0]}"
