#@ what:    USDT probes NAME@FILE fire in every process that runs the file, from its first instruction on
#@ needs:   uprobe
cp "$PROGS/serves" "$TMP/server"
cat >"$TMP/in" <<END
"$TMP/server" alone && echo enabled
"$PROGS/serves" alone || echo elsewhere not
"$TMP/server" alone && echo enabled
END
$DTRACE -qn "serves@$TMP/server:::request { @[probename, arg0] = count(); }" -c "sh $TMP/in" | tr -s ' ' | sed '/^$/d'
$DTRACE -n "serves@$TMP/nowhere:::request { }" 2>&1 | sed 's|/[^ :]*/|DIR/|g'
$DTRACE -n "serves@$PROGS/calls:::request { }" 2>&1 | sed 's|/[^ :]*/|DIR/|g'
