#@ what:    --initramfs writes a hook and a start script for initramfs-tools; the hook copies a program saved by -A
. ./anonymous.bash
$DTRACE --initramfs "$TMP/tools" 2>&1 | sed "s|$TMP|TMP|"
for script in hooks/dtrace scripts/init-top/dtrace; do
    sh -n "$TMP/tools/$script" && stat -c '%a' "$TMP/tools/$script"
    [[ -z $("$TMP/tools/$script" prereqs) ]]
done
mkdir "$TMP/image"
DESTDIR=$TMP/image "$TMP/tools/hooks/dtrace"
ls "$TMP/image"
sed -i "s|^\. .*|copy_exec() { echo takes \$2; }|" "$TMP/tools/hooks/dtrace"
$DTRACE -A -n BEGIN 2>/dev/null
DESTDIR=$TMP/image "$TMP/tools/hooks/dtrace"
cmp "$TMP/program/arguments" "$TMP/image$TMP/program/arguments"
