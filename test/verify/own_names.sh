#@ what:    scripts of tools/ and test/run compile to the same code when all unused names of the D library are defined before them (a sample)
#@ needs:   host syscall python3
#@ timeout: 300
every=${EVERY:-16}
python3 own_names.py "$DTRACE" ../../dcompiler/library "$every" "${FROM:-0}" ../../tools/*.d ../run/*/*.d >"$TMP/said"
sed '$d' "$TMP/said"
awk -v every="$every" 'END { if ($2 != "scripts," || $1 * every < 500 || $3 < 50 * $1) print "last line: " $0 }' "$TMP/said"
