#@ what:    a run that receives a signal at a random moment prints END and aggregations and exits with status 0
#@ needs:   syscall
#@ timeout: 120
../../fire/signals --count 4 --seed "${FIRST_SEED:-1}"
