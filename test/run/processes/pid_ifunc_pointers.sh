#@ what:    IFUNC functions that a program calls through pointers are counted under the names in its source, in each kind of executable
#@ needs:   uprobe objcopy
# The sizes and strings distinguish the calls of main from those of the C library. memcpy and memmove share one function on most processors.
counted() {
    echo "$1" $($DTRACE -qn 'pid$target::memset:entry /arg1 == 120 && arg2 == 41/ { @[probefunc] = count(); }
        pid$target::strchr:entry /copyinstr(arg0) == "a text of 42"/ { @[probefunc] = count(); }
        pid$target::memcpy:entry /arg2 == 43/ { @[probefunc] = count(); }
        pid$target::memmove:entry /arg2 == 44/ { @[probefunc] = count(); }
        pid$target:a.out:pick:entry /arg0 == 45/ { @[probefunc] = count(); }
        END { printa("%s %@d\n", @); }' -c "$2 10" | LC_ALL=C sort)
}
for kind in ifuncs ifuncs_fixed ifuncs_now ifuncs_static ifuncs_static_pie; do
    counted $kind "$PROGS/$kind"
done
objcopy --strip-all "$PROGS/ifuncs" "$TMP/stripped"
counted stripped "$TMP/stripped"
