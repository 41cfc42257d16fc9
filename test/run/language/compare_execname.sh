#@ what:    execname == STRING compares all characters, also for names of 7, 8 and 15 characters and for prefixes
#@ needs:   syscall
for name in a1 seven77 eight888 nine99999 fifteen15151515; do
    cp /bin/true "$TMP/$name"
    $DTRACE -qn 'syscall::exit_group:entry /pid == $target/ {
        printf("%s:", execname);
        printf("%s", execname == "a1" ? " a1" : "");
        printf("%s", execname == "seven77" ? " 7" : "");
        printf("%s", "eight888" == execname ? " 8" : "");
        printf("%s", execname == "eight88" ? " wrong" : "");
        printf("%s", execname == "eight8888" ? " wrong" : "");
        printf("%s", execname != "nine99999" ? "" : " 9");
        printf("%s", execname == "fifteen15151515" ? " 15" : "");
        printf("%s", execname == "fifteen151515151" ? " wrong" : "");
        printf("%s", execname == "" ? " wrong" : "");
        printf("%s\n", execname != "a" && execname != "a11" ? "" : " wrong"); }' -c "$TMP/$name"
done
