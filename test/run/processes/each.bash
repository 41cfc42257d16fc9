# Sourced by tests that probe each instruction. Prints the result of test/fire/each_instruction without the numbers that depend on the compiler.
each() {
    ../../fire/each_instruction "$@" | tail -n 1 |
        sed -E 's/^[1-9][0-9]* functions in [1-9][0-9]* runs/functions/; s/[1-9][0-9]{2,} instr/many instr/; s/[1-9][0-9]* (entries|returns)/some \1/g'
}
