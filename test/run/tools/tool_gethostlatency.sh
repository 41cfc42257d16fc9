#@ what:    gethostlatency.d shows host names that were looked up, the results, and a histogram of the times
#@ needs:   uprobe
/usr/bin/getent ahostsv4 127.0.0.1 >/dev/null # fails on a machine without network
found=$?
"$DTRACE" -s gethostlatency.d -c '/usr/bin/getent ahostsv4 127.0.0.1' |
    awk -v found=$found '$2 == "getent" { print $2, $3, ($4 > 0), (($5 == 0) == (found == 0)), $6 } / \|/ { n += $NF } END { print n }'
