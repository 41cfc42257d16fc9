#@ what:    the examples of dtrace(8) run and print the output that the page shows
#@ needs:   root python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace.8
