#@ what:    aggregation keys with probe names keep their meaning in the next run of --shell, even if a clause was deleted
$DTRACE -q --shell <<'END'
BEGIN { @[probename] = count(); }
END { @[probename] = count(); }
BEGIN { exit(0); }
run
delete 1
BEGIN { this->length = strlen(probename); }
run
END
