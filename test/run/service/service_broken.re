bad failed None
good tracing None
over ended 3
pattern failed None
failed to compile script DIR/bad\.d: line 1: copyinstr.*
 +\| +\^~~~~~~~
 +. execname is already a string: .*
does not match any probes
status 0
good begins
good ends
dtrace: bad: failed to compile script DIR/bad\.d: line 1: copyinstr.*
