#@ what:    the list and args commands of --shell show probes and their arguments, and report errors in probe descriptions
#@ needs:   syscall
$DTRACE --shell 2>&1 <<'END' | awk '{ $1 = $1; print }'
list dtrace:::
list BEGIN
args END
args syscall::close:entry
:list dtrace:::ERROR
list nosuch:::
list a:b:c:d:e
list
END
