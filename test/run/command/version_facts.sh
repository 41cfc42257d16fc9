#@ what:    --version prints the D version and facts about the build, and --doctor repeats these facts
#@ needs:   syscall
$DTRACE --version >"$TMP/version"
head -n 1 "$TMP/version"
grep -cE '^version +[0-9.]+, commit ([0-9a-f]{12}(-dirty)?|unknown)$' "$TMP/version"
grep -cE '^build +(GNU|Clang) [0-9.]+, [A-Za-z]*$' "$TMP/version"
grep -cF "$(uname -srm)" "$TMP/version"
grep -cE '^libraries +libbpf [0-9.]+, elfutils [0-9.]+, zlib [0-9.]+' "$TMP/version"
$DTRACE --doctor | grep -cF "$(sed -n 's/^version *//p' "$TMP/version")"
