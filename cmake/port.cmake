# SPDX-License-Identifier: MIT
#
# port.cmake - what the toolchain files of other processors share. Before the include: CMAKE_SYSTEM_PROCESSOR as `uname -m`
#   prints it, and `debian`, Debian's name of it. The libraries of that processor are in build/port-DEBIAN-root, which
#   scripts/port-root fills; programs run in qemu's user mode. Use: scripts/ports, or
#   cmake --toolchain cmake/arm64.cmake -B build/port-arm64 -G Ninja
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-gcc)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH port_source)
set(CMAKE_SYSROOT ${port_source}/build/port-${debian}-root)
set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR} -L ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
