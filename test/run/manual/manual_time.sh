#@ what:    the examples of dtrace-time(7) run as they are there, and print what is shown: from "it is slow" to the function
#@ needs:   host uprobe python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-time.7
