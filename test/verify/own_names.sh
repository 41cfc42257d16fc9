#@ what:    a sample of the scripts in tools/ and test/run compiles to the same code after definitions of all unused names of the D library
#@ needs:   host syscall python3
#@ timeout: 300
every=${EVERY:-16}
python3 own_names.py "$DTRACE" ../../dcompiler/library "$every" "${FROM:-0}" ../../tools/*.d ../run/*/*.d >"$TMP/said"
sed '$d' "$TMP/said"
awk -v every="$every" 'END { if ($2 != "scripts," || $1 * every < 500 || $3 < 50 * $1) print "last line: " $0 }' "$TMP/said"
