# Completion of dtrace(8) for bash: options, options of -x with their values, verbs of the service, providers and probes.
#
# Probe names come from `dtrace -l` with the text typed so far. Only one part of the description is completed at a time,
# so that the listing stays short. Without root only provider names are offered. bash splits words at : and =, and
# replaces the last piece. Therefore the whole word is read from the line, and the candidates are cut to its last piece.

_dtrace_short='-32 -64 -a -A -b -c -C -D -e -f -F -G -h -H -i -I -k -l -L -m -n -o -p -P -q -s -S -U -v -V -w -x -X -Z'
_dtrace_long='--buffer-size --command --cpp --define --compile-only --function --flowindent --link --header --id
    --include --list --library --module --name --output --pid --provider --quiet --script --disassemble --undefine
    --verbose --version --destructive --option --allow-zero --help --merge --postmortem --trace-errno --check-kernel
    --kernel --bundle --run-bundle --hosts --rsh --send-source --policy --top --tools --shell --agent --lsp --doctor
    --estimate --annotate --service --anonymous --initramfs'
_dtrace_verbs='status attach detach show follow reload cost help'
_dtrace_providers='dtrace profile cpc syscall fbt rawfbt rawtp sdt proc sched io ip tcp udp lockstat vminfo sysinfo fsinfo mib nfsv3 nfsv4 list pid watch'
_dtrace_flags='agghist aggpack aggpercpu aggsortkey aggsortrev aggzoom annotate argref bpflog core cost cpp cpphdrs
    debug defaultargs destructive drops droptags empty errtags estimate fbtall flameicicle flowindent grabanon hits
    hostkey jstackall kdefs knodefs lazyload linknommap nolibs noresolve passtiming pspec quiet quietresize rawbytes
    sourcelines strip timestamps timing top udefs unodefs verbose zdefs'
_dtrace_valued='aggevery aggrate aggsize aggsortkeypos aggsortpart aggsortpos aggttl amin bpflogsize bufpolicy
    bufresize bufsize cgroup cleanrate control cppargs cpppath cpu ctfpath ctypes deadline debugassert define diag
    disasm dofstashpath dtypes dynvarpolicy dynvarsize errors escape estimate evaltime flamesubtitle flametitle
    flameunit followchildren format incdir iregs jstackframes jstackstrsize kernel labels late ldpath libdir linkmode
    linktype lockmem maxcost maxframes maxmem maxseries memlimit memorymax metrics modpath nspec opt otlp otlpheaders
    output pcapsize pgmax pin pintimeout preallocate printsize procfspath requestkey rotate sandbox save schema
    scratchsize sharedvars specsize stackframes stackindent statusrate stdc strsize switchrate syslibdir sysslice
    target temporal tree tregs undef user useruid ustackframes version warnings'

# Prints the values of an -x option that has only a few values.
_dtrace_values()
{
    case $1 in
    amin) echo Evolving/Evolving/ISA Stable/Stable/Common ;;
    bufpolicy) echo switch fill ring ;;
    bufresize) echo auto manual ;;
    sandbox) echo service always never ;;
    target) echo native arm64 x86_64 ;;
    escape) echo auto on off ;;
    debugassert) echo mutexes ;;
    diag) echo full brief ;;
    disasm) echo 1 2 4 8 15 ;;
    dynvarpolicy) echo drop lru ;;
    errors) echo text json ;;
    evaltime) echo exec preinit postinit main ;;
    followchildren) echo none fork exec ;;
    format) echo text jsonl csv folded flamegraph pprof ctf perfetto journal snapshot openmetrics prometheus otlp ;;
    late) echo dynamic static ;;
    linkmode) echo kernel static dynamic ;;
    linktype) echo elf dof ;;
    lockmem) echo unlimited ;;
    schema) echo sqlite duckdb parquet clickhouse ;;
    stdc) echo a c s t ;;
    temporal) echo on off ;;
    version) echo 1.0 1.1 1.2 1.2.1 1.2.2 1.3 1.4 1.4.1 1.5 1.6 1.6.1 1.6.2 1.6.3 1.6.4 2.0 ;;
    esac
}

# Completes names that may need quoting: files, folders or commands ($1 is the option of compgen) that begin with $2.
_dtrace_files()
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

# Prints probe descriptions that begin with $1, up to the end of the part that is being typed.
_dtrace_probes()
{
    local typed=$1 colons=${1//[^:]/}
    local part=${#colons}
    if ((part == 0)); then
        compgen -W "BEGIN END ERROR tick-1s profile-97 $_dtrace_providers" -- "$typed"
        return
    fi
    local pattern="$typed*"
    while ((part++ < 3)); do pattern+=:; done
    # Empty columns are blank in the listing. A row always has id, provider and name. A row of four words also has a
    # module, and a row of five also has a function.
    dtrace -l -n "$pattern" 2>/dev/null | head -n 2000 | awk -v typed="$typed" -v part="${#colons}" '
        NR > 1 {
            module = NF > 3 ? $3 : ""; called = NF > 4 ? $4 : ""
            split(typed, given, ":")
            if (part == 1)
                text = $2 ":" (given[2] != "" ? module ":" : called == "" ? "::" : ":")
            else if (part == 2 && called != "")
                text = $2 ":" given[2] ":" called ":"
            else
                text = $2 ":" given[2] ":" (part == 2 ? "" : given[3]) ":" $NF
            if (!seen[text]++) print text
        }'
}

_dtrace()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word cut=
    # `word` becomes the word that is being typed, without a leading quotation mark; `previous` becomes the option
    # before it.
    word=${COMP_LINE:0:COMP_POINT}
    word=${word##*[[:blank:]]}
    local before=${COMP_LINE:0:COMP_POINT-${#word}}
    before=${before%"${before##*[![:blank:]]}"}
    previous=${before##*[[:blank:]]}
    [[ $previous != -[!-]?* ]] || previous=-${previous: -1} # -qn is -q -n
    if [[ $word == [\'\"]* ]]; then
        word=${word:1}
    else
        cut=${word%"${word##*[:=]}"}
    fi
    if [[ $word == --*=* ]]; then
        previous=${word%%=*} word=${word#*=}
        [[ -z $cut ]] || cut=${word%"${word##*[:=]}"}
    fi
    COMPREPLY=()
    if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == service && $current != -* && $previous != -* ]]; then
        case $COMP_CWORD:${COMP_WORDS[2]} in
        2:*) mapfile -t COMPREPLY < <(compgen -W "$_dtrace_verbs" -- "$current") ;;
        3:attach) _dtrace_files -f "$current" ;;
        3:status | 3:detach | 3:show | 3:follow | 3:cost)
            mapfile -t COMPREPLY < <(compgen -W "$(dtrace service status 2>/dev/null | awk 'NR > 1 { if (!NF) exit; print $1 }')" -- "$current")
            ;;
        esac
        return
    fi
    case $previous in
    -s | --script | -o | --output) _dtrace_files -f "$current" ;;
    -I | --include | -L | --library) _dtrace_files -d "$current" ;;
    -c | --command) _dtrace_files -c "$current" ;;
    -p | --pid) mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$word") ;;
    -P | --provider) mapfile -t COMPREPLY < <(compgen -W "$_dtrace_providers" -- "$word") ;;
    -n | --name)
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(_dtrace_probes "$word")
        ;;
    -x | --option)
        if [[ $word == *=* ]]; then
            mapfile -t COMPREPLY < <(compgen -P "${word%%=*}=" -W "$(_dtrace_values "${word%%=*}")" -- "${word#*=}")
        else
            compopt -o nospace 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -W "$_dtrace_flags" -- "$word"; compgen -S = -W "$_dtrace_valued" -- "$word")
        fi
        ;;
    -X) mapfile -t COMPREPLY < <(compgen -W 'a c s t' -- "$word") ;;
    -m | --module | -f | --function | -i | --id | -b | --buffer-size | -D | --define | -U | --undefine) ;;
    *)
        case $current in
        --*) mapfile -t COMPREPLY < <(compgen -W "$_dtrace_long" -- "$current") ;;
        -*) mapfile -t COMPREPLY < <(compgen -W "$_dtrace_short" -- "$current") ;;
        *)
            _dtrace_files -f "$current"
            ((COMP_CWORD != 1)) || [[ service != "$current"* ]] || COMPREPLY+=(service)
            ;;
        esac
        ;;
    esac
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}
complete -F _dtrace dtrace
