#@ what:    the examples of dtrace-service(7) run as printed and give the shown output
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-service.7
