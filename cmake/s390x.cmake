# SPDX-License-Identifier: MIT
#
# s390x.cmake - builds for IBM Z, whose numbers begin with their highest byte, and whose `char` has no sign.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(debian s390x)
include(${CMAKE_CURRENT_LIST_DIR}/port.cmake)
