#@ what:    a run interrupted at a random moment ends like a normal run (test/fire/signals)
#@ needs:   syscall
#@ timeout: 120
../../fire/signals --count 4 --seed "${FIRST_SEED:-1}"
