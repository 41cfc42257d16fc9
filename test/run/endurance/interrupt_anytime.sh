#@ what:    interrupted at a random moment, a run ends as one that ends by itself (test/fire/signals)
#@ needs:   syscall
#@ timeout: 120
../../fire/signals --count 4 --seed "${FIRST_SEED:-1}"
