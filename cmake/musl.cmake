# SPDX-License-Identifier: MIT
#
# musl.cmake - builds with Debian's musl-gcc. No library of glibc can be used with it: those that LoCo needs are in
#   build/port-musl-root, which scripts/port-musl builds from Debian's sources.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER musl-gcc)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH port_source)
set(CMAKE_FIND_ROOT_PATH ${port_source}/build/port-musl-root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_FIND_ROOT_PATH}/lib/pkgconfig:${CMAKE_FIND_ROOT_PATH}/share/pkgconfig)
