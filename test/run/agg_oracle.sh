#@ what:    random aggregations print what the manual's rules give
#@ needs:   root
#@ timeout: 120
../fire/aggregations --count 40 --seed "${FIRST_SEED:-1}"
