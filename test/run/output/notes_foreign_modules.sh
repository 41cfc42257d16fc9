#@ what:    the io, proc and similar providers accept module names of other systems, and print a note unless option warnings is off
note() { $DTRACE "${@:2}" -x errors=json -en "$1" 2>&1 | sed 's/.*"message":"\([^"]*\)".*"hint":"\([^"]*\)".*/\1\n    \2/'; echo "--"; }
note 'proc:unix::exit { }'
note 'io:genunix::start { }'
note 'io:nfs::start { }'
note 'vminfo:genunix::as_fault { }' -x warnings=off
note 'io:nosuch::start { }' | head -n 1
for description in io:::start io:genunix::start io:nfs::done 'sysinfo:genunix::pswitch'; do $DTRACE -ln "$description" | sed '1d; s/ *[0-9]* *//; s/  */ /g; s/ *$//'; done
