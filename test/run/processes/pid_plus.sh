#@ what:    a module name with + in it is taken literally in a probe description
#@ needs:   uprobe
$DTRACE -ln 'pid$target:libstdc++.so.6:__cxa_throw:entry' -c "$PROGS/throws" | awk '/__cxa_throw/ { print $4, $5 }'
