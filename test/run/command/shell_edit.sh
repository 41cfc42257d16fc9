#@ what:    the edit command of --shell opens a clause in $EDITOR, and keeps the old clause if the new text does not compile
shell()
{
    EDITOR=$1 $DTRACE -q --shell 2>&1
}
shell "sed -i s/1/2/" <<'END'
BEGIN { trace(1); }
BEGIN { trace(1); exit(0); }
edit 2
show
run
edit 3
edit x
END
printf 'BEGIN { trace(1); }\nedit 1\nshow\n' | shell "sed -i s/1/nosuch/"
printf 'BEGIN { trace(1); }\nedit 1\nshow\n' | shell "truncate -s 0"
printf 'BEGIN { trace(1); }\nedit 1\nshow\n' | shell "sed -i 's/\$/ END { trace(3); }/'"
