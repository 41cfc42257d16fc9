^ {14}frames`inner\+0x[0-9a-f]+$
^ {14}frames`inner\+0x[0-9a-f]+$
^ +1$
