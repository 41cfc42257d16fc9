# Included by tests of interpreters whose build is not known.
# shellcheck shell=bash

# unknown_build LANGUAGE SYSTEM_CALL FILE NATIVE COMMAND: prints marks of the stack at a system call, names of the file of
# the program that is in the language (there must be none), whether frames of the native function are there, and the reason.
unknown_build() {
    local language=$1 call=$2 file=$3 native=$4 command=$5
    $DTRACE -qn "syscall::$call:entry /pid == \$target/ { printf(\"stack\\n\"); jstack(); }" -c "$command" \
        >"$TMP/out" 2>"$TMP/messages"
    grep -o "^stack\|\[$language: .*\]" "$TMP/out"
    grep -o "$file" "$TMP/out"
    grep -q "$native" "$TMP/out" && echo native frames
    grep -o 'have no names: .*' "$TMP/messages"
}
