#@ what:    mallocstacks.d adds up the bytes of large allocations for each stack
#@ needs:   uprobe python3
echo 'for i in range(3): bytearray(3000000)' >"$TMP/large.py"
"$DTRACE" -s mallocstacks.d 2000000 -c "/usr/bin/python3 $TMP/large.py" | awk '/libc.so.6`malloc/ { n = 0 } { n++ } /^ +[0-9]+$/ { print (n > 3), $1 }'
