# SPDX-License-Identifier: MIT
# cmake --install build/cpu --prefix P: the program in P/bin, and under P/share/halotherm what users take from this project, in the
# same folders as here, so that links in the documents and paths in the scripts hold.
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR}/halotherm)

set_target_properties(halotherm PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)  # libraries of modules are found as in the build
install(TARGETS halotherm RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${share})
install(DIRECTORY configs DESTINATION ${share} FILES_MATCHING PATTERN *.yaml PATTERN *.md)
install(DIRECTORY docs slurm DESTINATION ${share} USE_SOURCE_PERMISSIONS)
install(PROGRAMS scripts/plot_field.py scripts/plot_roofline.py scripts/plot_scaling.py
                 scripts/predict_scaling.py scripts/submit_scaling DESTINATION ${share}/scripts)
install(FILES scripts/grid_partition.py scripts/result_file.py scripts/scaling_model.py scripts/slurm_jobs.py
        DESTINATION ${share}/scripts)
