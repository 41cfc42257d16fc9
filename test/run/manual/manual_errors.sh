#@ what:    the examples of dtrace-errors(7) run as they are there, and print what is shown
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-errors.7
