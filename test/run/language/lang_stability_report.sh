#@ what:    -v prints a stability report of the documented layout once for each probe description, with and without -e
#@ needs:   syscall host
cat >"$TMP/own.d" <<'END'
syscall::read:entry, syscall::write:entry, syscall::read:, syscall::read:entry { trace(args[1]); }
END
sed 's/args.1./1/' "$TMP/own.d" >"$TMP/one.d"
cd "$TMP" || exit 1
"$DTRACE" -e -v -s one.d | sed "s/^ *[0-9,]*  [kt].*/PART/; s/^ *[0-9,]*  in all.*/SUM/" | awk '$0 != "PART" || last != "PART"; { last = $0 }'
echo --
"$DTRACE" -q -v -n 'dtrace:::BEGIN { exit(0); }'
echo --
"$DTRACE" -q -v -o "$TMP/out" -n 'BEGIN { exit(0); } '
cat "$TMP/out"
