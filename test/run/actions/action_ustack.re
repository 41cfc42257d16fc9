^$
^ {14}frames`inner\+0x[0-9a-f]+$
^ {14}frames`middle\+0x[0-9a-f]+$
^ {14}frames`outer\+0x[0-9a-f]+$
^ {14}frames`main\+0x[0-9a-f]+$
^end$
