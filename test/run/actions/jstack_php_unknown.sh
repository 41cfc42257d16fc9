#@ what:    for a PHP of unknown version, jstack() prints a mark instead of PHP names, prints the native frames, and reports the reason once
#@ needs:   syscall php x86-64
# Makes a copy of the interpreter that claims another version of PHP's API.
sed 's/API20[0-9]\{6\},NTS/API20990101,NTS/g' "$(readlink -f "$(type -P php)")" >"$TMP/php"
chmod +x "$TMP/php"
echo '<?php function call() { chdir("/"); } call();' >"$TMP/program.php"
$DTRACE -qn 'syscall::chdir:entry /pid == $target/ { printf("stack\n"); jstack(); }' -c "$TMP/php $TMP/program.php" \
    >"$TMP/out" 2>"$TMP/messages"
grep -o '^stack\|\[php: .*\]' "$TMP/out"
grep -o 'program.php' "$TMP/out"
grep -q 'execute_ex' "$TMP/out" && echo native frames
grep -o 'have no names: .*' "$TMP/messages"
