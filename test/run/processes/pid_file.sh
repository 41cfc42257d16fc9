#@ what:    pid@FILE matches every process that runs or maps the file, also processes started later
#@ needs:   uprobe
cp "$PROGS/calls" "$TMP/calls"
cat >"$TMP/in" <<END
"$TMP/calls" 2
"$PROGS/calls" 50
"$TMP/calls" 3
END
$DTRACE -qn "pid@$TMP/calls:a.out:add8:entry { @[\"calls\"] = count(); @first[\"first arguments\"] = sum(arg0); }
    pid@$TMP/calls::add8:return { @results[\"results\"] = sum(arg1); }
    pid@$TMP/calls::main:entry { @mains[\"processes\"] = count(); }" -c "sh $TMP/in" | tr -s ' ' | sed '/^$/d'
