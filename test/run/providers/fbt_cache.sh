#@ what:    the cached list of traceable functions is readable only by its owner, and ignored if damaged, replaced or from another boot
#@ needs:   guest kprobe
export XDG_CACHE_HOME=$TMP
kept=$TMP/dtrace/traceable
list() { $DTRACE -ln 'fbt::vfs_*:entry' | sort | md5sum; }
first=$(list)
stat -c '%a %u' $TMP/dtrace $kept
same() { [ "$(list)" = "$first" ] && echo "$1: same"; }
same 'kept'
cp -p $kept $TMP/good
# If the tracer used the changed cache, vfs_read would be missing.
sed -i "s,^vfs_read$,vfs_xxxx," $kept; same 'changed'
cp -p $TMP/good $kept; truncate -s -10 $kept; same 'cut'
cp -p $TMP/good $kept; sed -i '2s/^./x/' $kept; same 'another boot'
: >$kept; same 'empty'
rm $kept; ln -s $TMP/good $kept; same 'a link'
rm $kept; mkfifo $kept; chmod 600 $kept; same 'a pipe'
rm -r $kept; cp -p $TMP/good $kept; chmod 644 $kept; same 'open to others'
cp -p $TMP/good $kept; chown 1 $kept; same 'of another user'
cp -p $TMP/good $kept; chown 1 $TMP/dtrace; same 'in a folder of another user'
XDG_CACHE_HOME=$TMP/nosuch/folder same 'nowhere to keep it'
chown 0 $TMP/dtrace
$DTRACE -qn 'rawfbt::vfs_write:entry /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/writes 3 10" | grep .
$DTRACE -qn 'rawfbt::vfs_write:entry /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/writes 3 10" | grep .
ls $TMP/dtrace | sort
