# Generates a C++ file that contains the D library: each .d file becomes a raw string. So the compiler needs no library
# files at run time.
file(GLOB D_LIBRARY CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.d)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${D_LIBRARY})
set(entries "")
foreach(file ${D_LIBRARY})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"DLIBRARY(${text})DLIBRARY\"},\n")
endforeach()
set(DCOMPILER_LIBRARY ${CMAKE_CURRENT_BINARY_DIR}/library.cpp)
file(GENERATE OUTPUT ${DCOMPILER_LIBRARY} CONTENT "#include \"dcompiler/driver/libraries.hpp\"

namespace dt::sema {

std::span<const LibraryFile> library_files()
{
    static constexpr LibraryFile files[] = {
${entries}    };
    return files;
}

} // namespace dt::sema
")
