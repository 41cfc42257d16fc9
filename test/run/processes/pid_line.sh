#@ what:    a probe on a source line fires once for each execution of the line, in optimized and unoptimized programs, also in inlined functions
#@ needs:   uprobe
for program in lines lines_plain; do
    for word in inlined recursive fourth call printed; do
        line=$(grep -n "// $word" ../../progs/lines.c | cut -d : -f 1)
        $DTRACE -qn 'pid$target:a.out:lines.c@'"$line"':line { n++; } END { printf("fired %d\n", n); }' -c "$PROGS/$program 1000" |
            sed -n "s/^fired/$program $word/p"
    done
done
