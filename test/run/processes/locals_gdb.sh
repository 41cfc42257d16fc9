#@ what:    variables have the values that gdb shows at the same instruction, optimized or not; both lack the same variables
#@ needs:   uprobe gdb python3 host
#@ timeout: 600
for program in locals locals_plain; do
	python3 locals_gdb.py "$DTRACE" "${SEED:-1}" "${COUNT:-100}" "$PROGS/$program" 2
done
