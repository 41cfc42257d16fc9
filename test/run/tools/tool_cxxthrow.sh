#@ what:    cxxthrow.d shows thrown, caught and rethrown C++ exceptions
#@ needs:   uprobe
"$DTRACE" -s cxxthrow.d -c "$PROGS/throws 7" | awk '/thrown/ { print } /__cxa_throw/ { stack = 1 } /^ +[0-9]+$/ { print stack, $1 }'
