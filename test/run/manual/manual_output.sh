#@ what:    the examples of dtrace-output(7) run as they are there, and print what is shown
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-output.7
