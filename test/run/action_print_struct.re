^0x[0-9a-f]+ = \*$
^ {44}\(struct outer\) [{]$
^ {45}\.a = \(int\)-3,$
^ {45}\.in = \(struct inner\) [{]$
^ {46}\.c = \(char\)'A',$
^ {46}\.s = \(short \[2]\) \[$
^ {47}\(short\)7,$
^ {46}],$
^ {45}[}],$
^ {45}\.f = \(unsigned int\)5,$
^ {45}\.e = \(enum color\)green,$
^ {45}\.name = \(char \[8]\) \[$
^ {46}\(char\)'h',$
^ {46}\(char\)'i',$
^ {45}],$
^ {44}[}]$
