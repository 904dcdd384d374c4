# SPDX-License-Identifier: MIT
#
# arm64.cmake - builds for 64-bit ARM, where `char` has no sign.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(debian arm64)
include(${CMAKE_CURRENT_LIST_DIR}/port.cmake)
