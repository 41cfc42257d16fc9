#@ what:    %hd, %lu and %llx refuse an argument of another size or signedness, except that ll accepts int64_t and uint64_t
#@ needs:   host
while read -r conversion types; do
    for type in $types; do
        "$DTRACE" -e -x errtags -n "BEGIN { printf(\"%$conversion\", ($type)1); }" 2>"$TMP/err" && echo "$conversion $type" ||
            sed -n "1s/.*\[\(D_[A-Z_]*\)\].*/$conversion $type \1/p" "$TMP/err"
    done
done <<'END'
hd short ushort_t int
hu short ushort_t
hx short ushort_t char
ld long ulong_t int
lu long ulong_t uint64_t
lx long ulong_t int
lld int64_t uint64_t long u_longlong_t
llu uint64_t u_longlong_t ulong_t
llx int64_t u_longlong_t int
END
for conversion in ld lld; do
    "$DTRACE" -32 -e -x errtags -n "BEGIN { printf(\"%$conversion\", (long)1); }" 2>"$TMP/err" && echo "ilp32 $conversion long" ||
        sed -n "1s/.*\[\(D_[A-Z_]*\)\].*/ilp32 $conversion long \1/p" "$TMP/err"
done
