#@ what:    bash completion offers options, -x names and values, providers and probes, and also works without root
#@ needs:   host
. ../../../package/completion/dtrace.bash
mkdir $TMP/bin $TMP/empty && ln -s "$DTRACE" $TMP/bin/dtrace && PATH=$TMP/bin:$PATH
# Function "tab LINE": prints the completions that bash offers after LINE. Bash splits the words of LINE at colons and equals signs.
tab() {
    COMP_LINE=$1 COMP_POINT=${#1}
    read -ra COMP_WORDS <<<"$(sed 's/\([^ :=]*\)\([:=]\+\)/\1 \2 /g' <<<"$1")"
    [[ $1 != *[\ :=] ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _dtrace 2>/dev/null
    echo "$1 -> ${COMPREPLY[*]}"
}
cd $TMP/empty # an empty folder, so that bash finds no file names to complete
tab 'dtrace --dest'
tab 'dtrace --qui'
tab 'dtrace -P lock'
tab 'dtrace -x bufp'
tab 'dtrace -x zd'
tab 'dtrace -x bufpolicy='
tab 'dtrace -x format=f'
tab 'dtrace --option=evaltime=p'
tab 'dtrace -X '
tab 'dtrace serv'
tab 'dtrace service s'
tab 'dtrace -n lock'
tab "dtrace -n 'sys"
tab 'dtrace -n proc:'
tab 'dtrace -n proc:::exec'
tab "dtrace -n 'proc:::exec"
tab 'dtrace -n syscall::opena'
tab "dtrace -n 'syscall:vmlinux:opena"
tab 'dtrace -ln syscall::openat:r'
tab 'dtrace -n nosuch:::'
tab 'dtrace -qn BEG'
dtrace() { echo "dtrace: run as root for tracing and listing probes" >&2; return 2; }
tab 'dtrace -n proc:::exec'
tab 'dtrace -n pro'
