################################################################################
#
# sonde
#
################################################################################

SONDE_VERSION = 0.1
# The source that this recipe lies in.
SONDE_SITE = $(BR2_EXTERNAL_SONDE_PATH)/../..
SONDE_SITE_METHOD = local
# What was built there for the machine that builds.
SONDE_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude=/build --exclude=/sonde
SONDE_LICENSE = GPL-2.0
SONDE_LICENSE_FILES = LICENSE
SONDE_DEPENDENCIES = binutils elfutils libbpf libtraceevent zlib

# Shared libraries: Buildroot's elfutils is not for systems without.
SONDE_MAKE_OPTS = \
	$(TARGET_CONFIGURE_OPTS) \
	STATIC=0 \
	PREFIX=/usr \
	linkdir=$(if $(BR2_PACKAGE_SONDE_LINKS),/usr/bin)

define SONDE_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(SONDE_MAKE_OPTS) -C $(@D) all
endef

define SONDE_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(SONDE_MAKE_OPTS) -C $(@D) DESTDIR=$(TARGET_DIR) install
endef

$(eval $(generic-package))
