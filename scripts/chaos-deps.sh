#!/usr/bin/env bash
#
# Installs from Debian's packages what some proofs of `make chaos` need, and the pages on
# backups. Nobody runs it unasked: proofs that lack a program are skipped, and say so.
#
# The packages would start services, now and when the machine starts: none is. What keeps
# them from it now is undone when this ends.

set -euo pipefail

packages="postgresql pgbouncer haproxy pgbackrest"

if ! command -v apt-get >/dev/null; then
	echo "chaos-deps: no apt-get here; install what these Debian packages are: $packages" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
	sudo=sudo
fi

missing=
for package in $packages; do
	dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
done

policy=/usr/sbin/policy-rc.d
clusters=/etc/postgresql-common/createcluster.conf
kept=$(mktemp -d)

# replace writes a file from standard input, and keeps the one that was there.
replace() {
	local keep
	keep=$kept/$(basename "$1")
	if [ -e "$1" ]; then
		$sudo cp -p "$1" "$keep"
	fi
	$sudo mkdir -p "$(dirname "$1")"
	$sudo tee "$1" >/dev/null
}

# put_back undoes replace.
put_back() {
	local keep
	keep=$kept/$(basename "$1")
	if [ -e "$keep" ]; then
		$sudo cp -p "$keep" "$1"
	else
		$sudo rm -f "$1"
	fi
}

clean_up() {
	put_back "$policy"
	# The package brings its own file when there was none: that one stays.
	if [ -e "$kept/$(basename "$clusters")" ]; then
		put_back "$clusters"
	else
		$sudo sed -i '/^create_main_cluster = false$/d' "$clusters" 2>/dev/null || true
	fi
	$sudo rm -rf "$kept"
}
trap clean_up EXIT

printf '#!/bin/sh\nexit 101\n' | replace "$policy"
$sudo chmod 755 "$policy"
{
	cat "$clusters" 2>/dev/null || true
	echo 'create_main_cluster = false'
} >"$kept/new"
replace "$clusters" <"$kept/new"

$sudo apt-get -q -o DPkg::Lock::Timeout=300 update
# shellcheck disable=SC2086 # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 \
	apt-get -q -y -o DPkg::Lock::Timeout=300 --no-install-recommends install $packages

# What was there before may be wanted when the machine starts, what is new is not.
for package in $missing; do
	if command -v systemctl >/dev/null && [ -e "/lib/systemd/system/$package.service" ]; then
		$sudo systemctl disable --quiet "$package.service" || true
	fi
done
