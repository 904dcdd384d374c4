# SPDX-License-Identifier: MIT
#
# embed.cmake - writes a C file that holds other files as arrays of bytes.
#
#     cmake -D OUT=assets.c -D PREFIX=lc_ -P embed.cmake -- page.css page.js
#
# page.css becomes `const unsigned char lc_page_css[]` and `const size_t lc_page_css_len`.
set(text "/* Made by cmake/embed.cmake. */\n#include <stddef.h>\n")
set(names FALSE)
foreach(i RANGE 1 ${CMAKE_ARGC})
    set(file "${CMAKE_ARGV${i}}")
    if(names AND file)
        cmake_path(GET file FILENAME name)
        string(MAKE_C_IDENTIFIER "${PREFIX}${name}" name)
        file(READ "${file}" bytes HEX)
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
        string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
        string(APPEND text "extern const unsigned char ${name}[];\nextern const size_t ${name}_len;\n"
                           "const unsigned char ${name}[] = {\n${bytes}0};\n"
                           "const size_t ${name}_len = sizeof ${name} - 1;\n")
    elseif(file STREQUAL "--")
        set(names TRUE)
    endif()
endforeach()
file(WRITE "${OUT}" "${text}")
