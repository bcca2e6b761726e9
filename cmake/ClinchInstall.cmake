# make install, find_package(Clinch), pkg-config.
include(GNUInstallDirs)
