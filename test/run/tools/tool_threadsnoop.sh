#@ what:    threadsnoop.d shows each thread that a program creates, but not its main thread
#@ needs:   python3
printf 'import threading\nfor _ in range(3):\n    one = threading.Thread(target=int)\n    one.start()\n    one.join()\n' >"$TMP/work.py"
"$DTRACE" -s threadsnoop.d -c "python3 $TMP/work.py" | awk 'NR > 1 && $4 == "python3" { print $4, $2 == $5, $3 != $2 } /started/'
"$DTRACE" -s threadsnoop.d -c "python3 $TMP/work.py" nobody | grep -c python3 || :
