# Files as a C array, one behind the other, so that what is shipped is a single library.
#
# usage: cmake -DOUTPUT=x.c -DSYMBOL=name "-DINPUTS=a,b" -P embed.cmake
#        gives  const unsigned char name[] and const size_t name_size
#
# Scripts (.js) are written as modules and become one: import statements go, the word export before a declaration, and
# comments that have their lines to themselves, which types are. So names are imported as they are called, a module comes
# after those it imports, and no two have the same name at their top. What is written otherwise is an error here; that
# names differ is held by viewer/tests/script.test.js.
cmake_minimum_required(VERSION 3.21)
string(REPLACE "," ";" inputs "${INPUTS}")

# The text of a module without import, export and comments.
function(read_module output input)
  file(READ "${input}" text)
  string(PREPEND text "\n") # so that every line has one before it
  set(import "\nimport {[A-Za-z0-9_, \n]*} from '\\./([a-z_]+\\.js)'")
  string(REGEX MATCHALL "${import}" imports "${text}")
  foreach(statement IN LISTS imports)
    string(REGEX REPLACE "^.*from '\\./(.*)'.*$" "\\1" name "${statement}")
    if(NOT name IN_LIST before)
      message(FATAL_ERROR "${input} imports ${name}, which does not come before it")
    elseif(statement MATCHES " as ")
      message(FATAL_ERROR "${input} imports a name of ${name} under another one")
    endif()
  endforeach()
  string(REGEX REPLACE "${import};" "" text "${text}")
  string(REGEX REPLACE "\nexport (const|function|class) " "\n\\1 " text "${text}")
  if(text MATCHES "\n((import|export)[^A-Za-z0-9_][^\n]*)")
    message(FATAL_ERROR "${input}: not a form that can be stripped: ${CMAKE_MATCH_1}")
  endif()
  string(REGEX REPLACE "\n( */\\*\\*([^*]|\\*+[^*/])*\\*+/\n)+" "\n" text "${text}")
  string(REGEX REPLACE "\n *//[^\n]*" "" text "${text}")
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

set(bytes "")
set(before "")
foreach(input IN LISTS inputs)
  if(input MATCHES "\\.js$")
    read_module(text "${input}")
    string(HEX "${text}" hex)
    get_filename_component(name "${input}" NAME)
    list(APPEND before "${name}")
  else()
    file(READ "${input}" hex HEX)
  endif()
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
