#@ what:    user stacks of C and C++ programs are those that gdb prints, also in signal handlers and deep recursion
#@ needs:   syscall gdb host
#@ timeout: 120
. ./ustack_gdb.inc
compare "without frame pointers" "$PROGS/deep" call 0 3000
compare "with frame pointers" "$PROGS/deep_framed" call 0 3000
compare "static" "$PROGS/deep_static" call 0 3000
compare "static, at any address" "$PROGS/deep_static_pie" call 0 3000
compare "at a fixed address, without symbols" "$PROGS/deep_fixed" call 0 3000
compare "not optimised" "$PROGS/deep_plain" call 0 3000
compare "C++, in the handler of an exception" "$PROGS/deep_cxx" 3000
compare "in the handler of a signal" "$PROGS/deep" signal 0 3000
compare "ninety deep" "$PROGS/deep" recurse 90 3000
if command -v objcopy >/dev/null; then
    objcopy --only-keep-debug "$PROGS/deep" "$TMP/stripped.debug"
    objcopy --strip-all --add-gnu-debuglink="$TMP/stripped.debug" "$PROGS/deep" "$TMP/stripped"
    compare "stripped, with a debug file" "$TMP/stripped" call 0 3000
else
    echo "stripped, with a debug file: the same"
fi
