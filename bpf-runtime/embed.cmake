# Writes a C++ file that holds every runtime object as bytes (assembler's .incbin: no generator, no size limit).
# The names are hidden and so found without a table of addresses: in that, the linker of arm64 takes all that lies in one section for one thing.
set(text "#include \"bpf-runtime/embedded.hpp\"\n\n")
set(table "")
foreach(object ${OBJECTS})
  get_filename_component(name ${object} NAME_WE)
  string(APPEND text "asm(\".section .rodata\\n.balign 8\\nrt_${name}:\\n.incbin \\\"${object}\\\"\\nrt_${name}_end:\\n.byte 0\\n.previous\\n\");\n")
  string(APPEND text "extern \"C\" [[gnu::visibility(\"hidden\")]] const uint8_t rt_${name}[], rt_${name}_end[];\n")
  string(APPEND table "    {\"${name}\", {rt_${name}, rt_${name}_end}},\n")
endforeach()
string(APPEND text "\nnamespace dt {\n\nstd::span<const RuntimeObject> embedded_runtime()\n{\n    static const RuntimeObject objects[] = {\n${table}    };\n    return objects;\n}\n\n} // namespace dt\n")
file(WRITE ${OUTPUT} "${text}")
