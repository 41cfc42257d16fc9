#@ what:    every string function follows the manual's rules at lengths around strsize
#@ needs:   syscall python3
#@ timeout: 120
../../fire/string_sizes --sizes "${SIZES:-2,8,11,64}"
