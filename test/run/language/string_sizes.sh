#@ what:    every string function, at lengths around strsize, gives what the manual's rule does
#@ needs:   syscall python3
#@ timeout: 120
../../fire/string_sizes --sizes "${SIZES:-2,8,11,64}"
