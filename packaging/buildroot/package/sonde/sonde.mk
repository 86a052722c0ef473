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
	linkdir=$(if $(BR2_PACKAGE_SONDE_LINKS),/usr/bin) \
	unitdir=$(if $(BR2_INIT_SYSTEMD),/usr/lib/systemd/system)

define SONDE_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(SONDE_MAKE_OPTS) -C $(@D) all
endef

define SONDE_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(SONDE_MAKE_OPTS) -C $(@D) DESTDIR=$(TARGET_DIR) install
endef

# Of their inits OpenRC and systemd have a script here.
define SONDE_INSTALL_INIT_OPENRC
	$(INSTALL) -D -m 0755 $(@D)/packaging/openrc/sonde-export $(TARGET_DIR)/etc/init.d/sonde-export
endef

$(eval $(generic-package))
