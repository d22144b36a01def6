# The headers that are installed: src/sinew.h, those that it includes, those that these include, and so on.
cmake_minimum_required(VERSION 3.25)

# sinew_included_headers(OUT FOLDER HEADER): HEADER and all that it includes, as paths relative to FOLDER.
function(sinew_included_headers out folder header)
  set(found "")
  set(waiting ${header})
  while(waiting)
    list(POP_FRONT waiting header)
    if(NOT header IN_LIST found)
      list(APPEND found ${header})
      file(STRINGS ${folder}/${header} includes REGEX "^#include \"")
      list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*" "\\1")
      list(APPEND waiting ${includes})
    endif()
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
