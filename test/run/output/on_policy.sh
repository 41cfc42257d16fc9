#@ what:    a host refuses a --hosts request beyond its policy's limits for memory, destructive actions or record rate
mkdir "$TMP/bin"
cp "$PROGS/storm" "$TMP/storm_policy"
cat >"$TMP/bin/dtrace" <<SH
#!/bin/bash
exec $DTRACE "\$@" --policy "$TMP/\$host"
SH
printf '#!/bin/bash\nexport host=$1\nexec sh -c "$2"\n' >"$TMP/carrier"
chmod +x "$TMP/bin/dtrace" "$TMP/carrier"
export PATH="$TMP/bin:$PATH"
cd "$TMP" || exit
echo '# anything goes' >web1
echo 'memory 1k' >web2
echo 'destructive no # ever' >web3
echo 'price cheap' >web4
printf 'price 100%%\nrecords 0\n' >web5
on() { $DTRACE --hosts "$1" --rsh "$TMP/carrier %n" -qn "$2" 2>&1 | sed 's/y [0-9.]* MB exceeds/y N MB exceeds/; s/records [0-9.e+]* a/records N a/; s,'"$TMP/,,"; }
on 'web[1-4]' 'BEGIN { @ = sum(7); exit(0); }'
on 'web[1,3]' '#pragma D option destructive
BEGIN { system("true"); @ = sum(7); exit(0); }'
./storm_policy 1000000000 1 &
on 'web[1,5]' 'syscall:::entry /execname == "storm_policy"/ { @ = sum(7); printf("x"); exit(0); }' | sed 's/^x*//'
kill $!
$DTRACE --policy web2 -qn 'BEGIN { exit(0); }' 2>&1 | sed 's/y [0-9.]* MB exceeds/y N MB exceeds/'
