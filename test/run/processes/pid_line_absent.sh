#@ what:    a probe on a line without code is an error that names the nearest lines with code, and so is a missing file or function
#@ needs:   uprobe
#@ status:  1
#@ stderr:  exact
first=$(grep -n 'static volatile int total' ../../progs/lines.c | cut -d : -f 1)
for line in "lines.c@$((first + 1))" other.c@1 lines.c@nothing+1; do
    $DTRACE -qn "pid\$target:a.out:$line:line { }" -c "$PROGS/lines_plain 1" 2>&1 | sed 's/.*in module/in module/' >&2
done
exit 1
