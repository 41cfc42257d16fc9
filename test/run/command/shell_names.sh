#@ what:    --shell: an aggregation by names of probes goes on in a run of another program, where the names have other numbers
$DTRACE -q --shell <<'END'
BEGIN { @[probename] = count(); }
END { @[probename] = count(); }
BEGIN { exit(0); }
run
delete 1
BEGIN { this->length = strlen(probename); }
run
END
