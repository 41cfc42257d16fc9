#@ what:    the examples of README.md and of docs/d-for-assistants.md run as they are there, and print what is shown
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../README.md ../../../docs/d-for-assistants.md
