# Toolchain file for another machine (DTRACE_ARCH, Debian's name of the machine), with Debian's cross compiler and the libraries that
# machine/sysroot has unpacked. Programs of the other machine that the build needs, and unit tests, run here in QEMU's user mode.
set(DTRACE_ARCH arm64 CACHE STRING "The machine that is compiled for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DTRACE_ARCH DTRACE_QUICK)
set(CPU_OF_arm64 aarch64)
set(CPU ${CPU_OF_${DTRACE_ARCH}})

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CPU})
get_filename_component(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot-${DTRACE_ARCH} ABSOLUTE)
set(CMAKE_C_COMPILER ${CPU}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${CPU}-linux-gnu-g++)
if(DTRACE_QUICK) # Clang takes half of the time for C++ without optimisation; C programs, which tests trace, are still compiled by GCC
  set(CMAKE_CXX_COMPILER clang++)
  set(CMAKE_CXX_COMPILER_TARGET ${CPU}-linux-gnu)
  set(CMAKE_CXX_COMPILER_EXTERNAL_TOOLCHAIN /usr) # has g++'s C++ library for the other machine
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CPU} -L ${CMAKE_SYSROOT})

# The build runs programs of this machine, but uses libraries, headers and packages of the other machine.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(CMAKE_INSTALL_LIBDIR lib/${CPU}-linux-gnu) # Debian's folder for libraries of that machine; CMake's default is lib
