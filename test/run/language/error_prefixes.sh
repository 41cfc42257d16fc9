#@ what:    the beginning of an error message says whether the error is in a script, a command-line program, an action list or a predicate
#@ needs:   syscall
cd "$TMP" || exit 1
run()
{
    "$DTRACE" -x diag=brief -e "$@" 2>&1
}
printf 'BEGIN { trace(nosuch); }\n' >a.d
run -s a.d
run -x errtags -s a.d
run -n 'BEGIN { trace(nosuch); }'
run -n 'BEGIN /nosuch/ { }'
run -n 'BEGIN { trace(7 / 0); }'
run -n 'BEGIN { nosuch(1); }'
run -P nosuch
run -m 'a:b:c'
run -f 'read /1 +/ { }'
run -i 4294967296
run -s ./nosuch.d
run -x nosuch -n BEGIN
run -x bufsize=many -n BEGIN
printf '# 7 "other.h"\nBEGIN { trace(nosuch); }\n' >b.d
run -s b.d
mkdir lib
printf '\ninline int broken = nosuch;\n' >lib/broken.d
run -L lib -s a.d
printf 'int x; string x;\n#pragma D option errtags\nBEGIN { }\n' >c.d
run -s c.d
printf '#pragma D option errtags\nint x; string x;\nBEGIN { }\n' >d.d
run -s d.d | head -n 1
