#@ what:    the examples of dtrace(8) run as they are there, and print what the programs they run beside did
#@ needs:   root python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace.8
