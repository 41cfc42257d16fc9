#@ what:    the help command of --shell lists commands and explains topics, D names and options
$DTRACE -q --shell <<'END' | awk '$2 == "N" || $2 == "[TOPIC]" { $1 = $1; print }'
help
END
$DTRACE -q --shell 2>&1 <<'END'
help strlen
help copyout
help msgsize
help execname
help quantize
help bufsize
help quit
help predicats
END
printf 'help variables\nhelp aggregation\nhelp providers\n' | $DTRACE -q --shell | grep -o '^  vtimestamp\|^  llquantize\|^  syscall'
