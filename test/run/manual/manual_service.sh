#@ what:    the examples of dtrace-service(7) run and print the output that the page shows
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../man/dtrace-service.7
