# What `cmake --install` puts where, in three parts (--component NAME takes one): clawperator, simdroid, and
# adbproto, the library with which other programs speak to devices.
set(packaging ${CMAKE_CURRENT_LIST_DIR})

install(TARGETS clawperator RUNTIME COMPONENT clawperator)

# The manual page, the guide and the completions come from the binary's own tables.
set(run_clawperator ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:clawperator>)
install(CODE "
  function(install_output words folder name)
    set(target \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${folder}\")
    file(MAKE_DIRECTORY \"\${target}\")
    message(STATUS \"Installing: \${target}/\${name}\")
    separate_arguments(words)
    execute_process(COMMAND ${run_clawperator} \${words} COMMAND_ERROR_IS_FATAL ANY
      OUTPUT_FILE \"\${target}/\${name}\")
  endfunction()
  install_output(man ${CMAKE_INSTALL_MANDIR}/man1 clawperator.1)
  install_output(\"guide --skill\" ${CMAKE_INSTALL_DATADIR}/clawperator/skills/clawperator SKILL.md)
  install_output(\"completion bash\" ${CMAKE_INSTALL_DATADIR}/bash-completion/completions clawperator)
  install_output(\"completion zsh\" ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _clawperator)
  install_output(\"completion fish\" ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d clawperator.fish)
" COMPONENT clawperator)

# For each user: systemctl --user enable --now clawperator.socket
# For the computer: systemctl enable --now clawperator-serve.service
install(FILES ${packaging}/systemd/clawperator.socket DESTINATION lib/systemd/user COMPONENT clawperator)
install(CODE "
  set(CLAWPERATOR_PROGRAM \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/clawperator\")
  foreach(unit user/clawperator.service system/clawperator-serve.service)
    set(target \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/\${unit}\")
    message(STATUS \"Installing: \${target}\")
    get_filename_component(name \${unit} NAME)
    configure_file(\"${packaging}/systemd/\${name}.in\" \"\${target}\" @ONLY)
  endforeach()
" COMPONENT clawperator)
install(FILES ${packaging}/udev/70-clawperator.rules DESTINATION lib/udev/rules.d COMPONENT clawperator)

# The example skills: a repository, which the program finds beside itself.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/skills
  DESTINATION ${CMAKE_INSTALL_DATADIR}/clawperator/skills-repo USE_SOURCE_PERMISSIONS COMPONENT clawperator)

configure_file(${packaging}/simdroid.1.in ${CMAKE_BINARY_DIR}/simdroid.1 @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/simdroid.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT simdroid)

include(${packaging}/adbproto.cmake)
include(${packaging}/licences.cmake)
include(${packaging}/cpack.cmake)
