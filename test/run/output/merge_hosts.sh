#@ what:    --merge adds the aggregations and joins the records of three hosts, even if one file is truncated, and -x hostkey keeps the host as a key
run()
{
    $DTRACE -x format=snapshot -qs /dev/stdin -- "$1" <<'D' | sed "s/^/$2: /"
BEGIN { @c["a"] = count(); @c["b"] = count(); @c["b"] = count(); @s["a"] = sum($1); @m = max($1); @l = min($1); @a = avg($1); @q = quantize($1); }
BEGIN { @d = stddev($1); @f["x", $1 % 2] = sum($1); printf("record %d\n", $1); exit(0); }
END { printa("%s %d: %@d\n", @f); }
D
}
cd "$TMP" || exit
run 3 web1 >first
run 5 web2 >second
run -100 web3 >third
$DTRACE --merge first second third 2>&1
echo "---- $?"
head -n 2 third >cut
$DTRACE -x hostkey --merge second first cut 2>&1
echo "---- $?"
