#@ what:    tools that print histograms accept interval and count after their own argument
#@ needs:   root
$DTRACE -s syslatency read 1 2 2>&1 | grep -c CALLS
$DTRACE -s syslatency '' 1 1 2>&1 | grep -c CALLS
$DTRACE -s biosize nowhere 1 1 | grep .; echo "${PIPESTATUS[0]}"
