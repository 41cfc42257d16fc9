#@ what:    the examples of dtrace-time(7) run as printed and give the shown output
#@ needs:   host uprobe python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-time.7
