# Writes a C++ file that contains every runtime object, and its variant for old kernels, as bytes. The assembler's .incbin needs no generator and has
# no size limit. Hidden visibility keeps the compiler from finding the symbols through the GOT, where the linker for arm64 would give all local symbols of
# a section one entry.
cmake_minimum_required(VERSION 3.13) # for IN_LIST
set(text "#include \"bpf-runtime/embedded.hpp\"\n\n")
set(table "")
function(embed symbol object)
  string(APPEND text "asm(\".section .rodata\\n.balign 8\\n${symbol}:\\n.incbin \\\"${object}\\\"\\n${symbol}_end:\\n.byte 0\\n.previous\\n\");\n")
  string(APPEND text "extern \"C\" [[gnu::visibility(\"hidden\")]] const uint8_t ${symbol}[], ${symbol}_end[];\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()
foreach(object ${OBJECTS})
  get_filename_component(name ${object} NAME_WE)
  embed(rt_${name} ${object})
  set(plain "")
  string(REGEX REPLACE "\\.bpf\\.o$" ".plain.bpf.o" variant ${object})
  if(variant IN_LIST PLAIN)
    embed(rt_plain_${name} ${variant})
    set(plain "rt_plain_${name}, rt_plain_${name}_end")
  endif()
  string(APPEND table "    {\"${name}\", {rt_${name}, rt_${name}_end}, {${plain}}},\n")
endforeach()
string(APPEND text "\nnamespace dt {\n\nstd::span<const RuntimeObject> embedded_runtime()\n{\n    static const RuntimeObject objects[] = {\n${table}    };\n    return objects;\n}\n\n} // namespace dt\n")
file(WRITE ${OUTPUT} "${text}")
