#@ what:    the examples of dtrace(8) run as printed and give the output of the traced programs
#@ needs:   root python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace.8
