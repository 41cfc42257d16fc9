#@ what:    a file's name with + in it is a description's module as it is
#@ needs:   uprobe
$DTRACE -ln 'pid$target:libstdc++.so.6:__cxa_throw:entry' -c "$PROGS/throws" | awk '/__cxa_throw/ { print $4, $5 }'
