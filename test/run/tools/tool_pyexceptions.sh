#@ what:    pyexceptions.d counts the exceptions that a Python program raises
#@ needs:   uprobe python3
cat >"$TMP/own.py" <<'END'
class Own(Exception):
    pass
for i in range(7):
    try:
        raise Own()
    except Own:
        pass
END
"$DTRACE" -s pyexceptions.d -c "/usr/bin/python3 $TMP/own.py" | awk '$1 == "Own" { print $1, $2 }'
