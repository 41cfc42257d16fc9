#@ what:    for a PHP of unknown version, jstack() prints a mark instead of PHP names, prints the native frames, and reports the reason once
#@ needs:   syscall php x86-64
. ./unknown_build.bash
# Makes a copy of the interpreter that claims another version of PHP's API.
sed 's/API20[0-9]\{6\},NTS/API20990101,NTS/g' "$(readlink -f "$(type -P php)")" >"$TMP/php"
chmod +x "$TMP/php"
echo '<?php function call() { chdir("/"); } call();' >"$TMP/program.php"
unknown_build php chdir program.php execute_ex "$TMP/php $TMP/program.php"
