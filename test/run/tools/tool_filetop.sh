#@ what:    filetop.d shows how many bytes were read from and written to each file
#@ needs:   syscall
head -c 5000 /dev/zero >"$TMP/from"
"$DTRACE" -s filetop.d -c "/bin/dd if=$TMP/from of=$TMP/to bs=1000 status=none" | awk -v tmp="$TMP/" 'i = index($4, tmp) { print $2, $3, substr($4, i + length(tmp)), $5 }' | sort
