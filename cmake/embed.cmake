# Files as a C array, one behind the other, so that what is shipped is a single library.
#
# usage: cmake -DOUTPUT=x.c -DSYMBOL=name "-DINPUTS=a,b" -P embed.cmake
#        gives  const unsigned char name[] and const size_t name_size
string(REPLACE "," ";" inputs "${INPUTS}")
set(bytes "")
foreach(input IN LISTS inputs)
  file(READ "${input}" hex HEX)
  string(APPEND bytes "${hex}")
endforeach()
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}") # 16 bytes a line
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
file(WRITE "${OUTPUT}" "/* Made by cmake/embed.cmake. */
#include <stddef.h>

extern const unsigned char ${SYMBOL}[];
extern const size_t ${SYMBOL}_size;
const unsigned char ${SYMBOL}[] = {
${bytes}
};
const size_t ${SYMBOL}_size = sizeof ${SYMBOL};
")
