# Builds for the lab's arm64 guest, against the packages that ci/lab/setup-arm64 unpacked.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(guest_root ${CMAKE_CURRENT_LIST_DIR}/../../build/lab/arm64/root ABSOLUTE)
set(guest_libraries ${guest_root}/usr/lib/aarch64-linux-gnu)
set(guest_headers ${guest_root}/usr/include)
set(CMAKE_FIND_ROOT_PATH ${guest_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${guest_root})
set(ENV{PKG_CONFIG_LIBDIR} ${guest_libraries}/pkgconfig:${guest_root}/usr/share/pkgconfig)

# The C library is the cross compiler's own; all others are in the root.
set(CMAKE_CXX_FLAGS_INIT "-isystem ${guest_headers} -isystem ${guest_headers}/aarch64-linux-gnu")
# What nobody calls need not go into the guest.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--as-needed -Wl,-rpath-link,${guest_libraries}:${guest_root}/lib/aarch64-linux-gnu")
