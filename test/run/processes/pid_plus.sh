#@ what:    a module name with +, such as libstdc++.so.6, is taken literally
#@ needs:   uprobe
$DTRACE -ln 'pid$target:libstdc++.so.6:__cxa_throw:entry' -c "$PROGS/throws" | awk '/__cxa_throw/ { print $4, $5 }'
