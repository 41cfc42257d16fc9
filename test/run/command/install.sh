#@ what:    cmake --install installs the command, manual pages, completions, tools and libraries; the installed command runs scripts that start with #!/usr/sbin/dtrace
command -v cmake >/dev/null || { echo "cmake is not installed"; exit 77; }
DESTDIR=$TMP/root cmake --install "$(dirname "$(readlink -f "$DTRACE")")" --prefix /usr >/dev/null || exit 1
(cd "$TMP/root" && find . -type f) | sed 's|/tools/.*\.d$|/tools/*.d|; s|/lib/[^/]*-linux-gnu/|/lib/|; s|/adaptive/.*|/adaptive/*|' | sort -u
"$TMP/root/usr/sbin/dtrace" --tools | grep -c '^opensnoop\.d '
printf '#!/usr/sbin/dtrace -qs\nBEGIN { printf("%%s %%s\\n", $0 == "" ? "no name" : "script", $$1); exit(0); }\n' >"$TMP/script.d"
chmod +x "$TMP/script.d"
unshare -m bash -c 'mount --bind "$TMP/root/usr/sbin" /usr/sbin && "$TMP/script.d" argument && "$TMP/root/usr/share/dtrace/tools/opensnoop.d" nobody -c true | head -n 1'
bash -c 'source "$TMP/root/usr/share/bash-completion/completions/dtrace"
COMP_WORDS=(dtrace --dest) COMP_CWORD=1; _dtrace; echo "${COMPREPLY[@]}"'
