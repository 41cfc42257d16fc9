#@ what:    the examples of dtrace-errors(7) run as printed and give the shown output
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-errors.7
