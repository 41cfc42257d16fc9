# Completion of dtrace(8) for bash. Probe names and what follows them are D: left to the person.
_dtrace()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local short='-32 -64 -b -c -C -D -e -f -F -G -h -H -i -I -l -L -m -n -o -p -P -q -s -S -U -v -V -w -x -X -Z'
    local long='--buffer-size --command --cpp --define --compile-only --function --flowindent --link --header --id --include --list
        --library --module --name --output --pid --provider --quiet --script --disassemble --undefine --verbose --version --destructive
        --option --allow-zero --help --shell --doctor --daemon'
    COMPREPLY=()
    case $previous in
    -s | --script | -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    -I | --include | -L | --library) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    -c | --command) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
    -p | --pid) mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$current") ;;
    -P | --provider) mapfile -t COMPREPLY < <(compgen -W 'dtrace profile syscall' -- "$current") ;;
    -X) mapfile -t COMPREPLY < <(compgen -W 'a c s t' -- "$current") ;;
    -n | --name | -m | --module | -f | --function | -i | --id | -b | --buffer-size | -D | --define | -U | --undefine | -x | --option) ;;
    *)
        case $current in
        --*) mapfile -t COMPREPLY < <(compgen -W "$long" -- "$current") ;;
        -*) mapfile -t COMPREPLY < <(compgen -W "$short" -- "$current") ;;
        *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        esac
        ;;
    esac
}
complete -o filenames -F _dtrace dtrace
