#@ what:    the examples of dtrace-time(7) run and print the output that the page shows
#@ needs:   host uprobe python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-time.7
