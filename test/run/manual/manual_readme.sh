#@ what:    the examples of README.md and docs/d-for-assistants.md run and print the output that the documents show
#@ needs:   host python3
#@ timeout: 240
exec ../../manual/examples ../../../README.md ../../../docs/d-for-assistants.md
