# A toolchain file: compiling for another machine (DTRACE_ARCH, as Debian names it) with Debian's cross compiler and libraries that machine/sysroot
# has unpacked. What is built for this machine runs here by QEMU, one process at a time: programs that the build itself needs, and unit tests.
set(DTRACE_ARCH arm64 CACHE STRING "The machine that is compiled for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DTRACE_ARCH DTRACE_QUICK)
set(CPU_OF_arm64 aarch64)
set(CPU ${CPU_OF_${DTRACE_ARCH}})

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CPU})
get_filename_component(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot-${DTRACE_ARCH} ABSOLUTE)
set(CMAKE_C_COMPILER ${CPU}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${CPU}-linux-gnu-g++)
if(DTRACE_QUICK) # takes half of the time for what is not optimised; what is traced, which is C, remains the other's
  set(CMAKE_CXX_COMPILER clang++)
  set(CMAKE_CXX_COMPILER_TARGET ${CPU}-linux-gnu)
  set(CMAKE_CXX_COMPILER_EXTERNAL_TOOLCHAIN /usr) # where g++ has the library of C++ for that machine
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CPU} -L ${CMAKE_SYSROOT})

# Programs are this machine's; what is compiled or linked with is the other's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(CMAKE_INSTALL_LIBDIR lib/${CPU}-linux-gnu) # where packages of that machine have their libraries: CMake says lib
