#@ what:    in optimized and unoptimized programs, dtrace reads the same variables and values as gdb at the same instruction
#@ needs:   uprobe gdb python3 host
#@ timeout: 600
for program in locals locals_plain; do
	python3 locals_gdb.py "$DTRACE" "${SEED:-1}" "${COUNT:-100}" "$PROGS/$program" 2
done
