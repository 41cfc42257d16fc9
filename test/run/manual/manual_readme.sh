#@ what:    the examples of README.md and docs/d-for-assistants.md run as printed and give the shown output
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../README.md ../../../docs/d-for-assistants.md
