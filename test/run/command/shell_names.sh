#@ what:    aggregations keyed by probe names continue in later runs of --shell, although probe numbers change
$DTRACE -q --shell <<'END'
BEGIN { @[probename] = count(); }
END { @[probename] = count(); }
BEGIN { exit(0); }
run
delete 1
BEGIN { this->length = strlen(probename); }
run
END
