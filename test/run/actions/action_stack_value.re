^1 0 1 5$
^frames`inner\+0x[0-9a-f]+$
^frames`middle\+0x[0-9a-f]+$
^frames`outer\+0x[0-9a-f]+$
^frames`main\+0x[0-9a-f]+$
^ {14}frames`inner\+0x[0-9a-f]+$
^ +1$
