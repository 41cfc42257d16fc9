#@ what:    the examples of dtrace-tutorial(7) run as printed and give the shown output
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-tutorial.7
