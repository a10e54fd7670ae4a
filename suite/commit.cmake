cmake_policy(VERSION 3.25)
# Writes suite/commit.hpp with the commit that is being built; only when it changed, so that nothing is built in vain.
#   cmake -D SOURCE=... -D HEADER=... -P commit.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define SCHEDRIG_COMMIT \"@commit@\"\n" @ONLY)
