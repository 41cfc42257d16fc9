#@ what:    nothing depends on the kernel's version number: with a forged number, --doctor finds the same features and a script runs
#@ needs:   syscall
findings() { "$@" "$DTRACE" --doctor | awk '$2 == "yes" || $2 == "no" { print $1, $2 }'; }
forged="setarch --uname-2.6"
$forged uname -r | grep -c '^2[.]6[.]'
findings >"$TMP/true"
findings $forged >"$TMP/forged"
cmp "$TMP/true" "$TMP/forged" && echo "same features"
$forged $DTRACE -qn 'int counts[int]; BEGIN { self->n = 40; counts[1] = 2; @ = sum(self->n + counts[1]); exit(0); }'
