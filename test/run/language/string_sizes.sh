#@ what:    all string functions give the documented results for strings slightly shorter and longer than strsize
#@ needs:   syscall python3
#@ timeout: 120
../../fire/string_sizes --sizes "${SIZES:-2,8,11,64}"
