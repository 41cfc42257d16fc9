#@ what:    histograms that have an argument of their own take seconds and count behind it
#@ needs:   root
$DTRACE -s syslatency read 1 2 2>&1 | grep -c CALLS
$DTRACE -s syslatency '' 1 1 2>&1 | grep -c CALLS
$DTRACE -s biosize nowhere 1 1 | grep .; echo "${PIPESTATUS[0]}"
