#@ what:    tools that trace a -c command also show the processes that the command starts
#@ needs:   syscall profile
shell="sh -c '%s; true'"
run() { $DTRACE -s "$1.d" $2 -c "$(printf "$shell" "$3")" 2>&1; }
seen() { grep -c -- "$1" | sed 's/^0$/none/; s/^[0-9]*$/seen/'; }
echo "opensnoop $(run opensnoop "" "cat /etc/hostname" | seen '/etc/hostname')"
echo "errsnoop $(run errsnoop "" "cat /no/such/file" | seen openat)"
echo "killsnoop $(run killsnoop "" "env kill -0 \$\$" | seen ' kill ')"
echo "filetop $(run filetop "" "cat /etc/hostname" | seen ' cat ')"
echo "syscount $(run syscount "" "env true" | seen execve)"
echo "tcpconnect $(run tcpconnect "" "$PROGS/talk tcp 4" | seen 127.0.0.1)"
echo "tcplife $(run tcplife "" "$PROGS/talk tcp 4" | seen 127.0.0.1)"
echo "profile $(run profile "" "$PROGS/burn 300" | seen burn)"
echo "signals $(run signals "" "timeout 0.1 sleep 5" | seen ' timeout .* sleep')"
