#@ what:    the examples of dtrace-tutorial(7) run as they are there, and print what is shown
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-tutorial.7
