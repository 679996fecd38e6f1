#!/usr/bin/env bash
#
# Runs a command beside a private PostgreSQL cluster that exists only for it.
#
#   scripts/with-postgres.sh [--durable] COMMAND [ARGUMENT…]
#
# The command finds the cluster in its environment:
#
#   VITRINE_TEST_POSTGRES         a URL, over loopback TCP
#   VITRINE_TEST_POSTGRES_SOCKET  the same cluster as key=value pairs, over a Unix socket
#   VITRINE_TEST_POSTGRES_CRASH   a program that crashes the cluster and starts it again
#   VITRINE_TEST_POSTGRES_STANDBY a program: "start NAME" starts a standby of the cluster and
#                                 prints its port, "stop NAME" ends it
#
# If VITRINE_TEST_POSTGRES is already set, that server is used and none is started.
#
# The cluster lives in a temporary folder, belongs to an unprivileged user when
# the caller is root, and is gone, with every process the command left behind,
# when the command ends, whatever ends it short of SIGKILL. The exit status is
# the command's.
#
# By default nothing is ever flushed to disk, which is what tests want.
# --durable keeps every guarantee and tunes for speed, which is what a
# benchmark must measure.

# shellcheck disable=SC2317 # what only traps call looks unreachable
set -euo pipefail

durable=no
if [ "${1:-}" = --durable ]; then
	durable=yes
	shift
fi
if [ $# -eq 0 ]; then
	echo "usage: $0 [--durable] COMMAND [ARGUMENT...]" >&2
	exit 2
fi
if [ -n "${VITRINE_TEST_POSTGRES:-}" ]; then
	exec "$@"
fi

programs= # folder of initdb, postgres and pg_ctl
folder=   # everything the cluster writes
user=     # who runs it, when the caller may not
become=   # the program that turns root into that user
server=   # its process
command=  # process (and process group) of the command
forwarded=

say() { echo "with-postgres: $*" >&2; }

die() {
	say "$@"
	exit 1
}

# find_programs prefers the PATH, then the newest of the usual places.
find_programs() {
	local place
	if place=$(command -v initdb) && place=$(dirname "$place") && complete "$place"; then
		programs=$place
		return
	fi
	for place in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -t/ -k5,5nr) \
		/usr/pgsql-*/bin \
		/opt/homebrew/opt/postgresql*/bin \
		/usr/local/opt/postgresql*/bin \
		/Applications/Postgres.app/Contents/Versions/latest/bin; do
		if complete "$place"; then
			programs=$place
			return
		fi
	done
	return 1
}

complete() { [ -x "$1/initdb" ] && [ -x "$1/pg_basebackup" ] && [ -x "$1/pg_ctl" ] && [ -x "$1/postgres" ]; }

# install_programs adds the server's package where that needs no questions.
install_programs() {
	local sudo='' conf=/etc/postgresql-common/createcluster.conf kept=''
	command -v apt-get >/dev/null || return 1
	if [ "$(id -u)" -ne 0 ]; then
		sudo -n true 2>/dev/null || return 1
		sudo='sudo -n'
	fi
	say "PostgreSQL is not installed; installing it with apt-get"

	# The package would create and start a cluster of its own: nobody asked for it.
	$sudo mkdir -p "${conf%/*}"
	if [ -e "$conf" ]; then
		kept=$(mktemp)
		cat "$conf" >"$kept"
	fi
	echo 'create_main_cluster = false' | $sudo tee -a "$conf" >/dev/null

	local failed='' log
	log=$(mktemp)
	{
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update &&
			$sudo env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 \
				apt-get -q -y -o DPkg::Lock::Timeout=300 --no-install-recommends install postgresql
	} </dev/null >"$log" 2>&1 || failed=yes
	if [ -n "$kept" ]; then
		$sudo tee "$conf" <"$kept" >/dev/null
		rm -f "$kept"
	fi
	if [ -n "$failed" ]; then
		tail -n 20 "$log" >&2
	fi
	rm -f "$log"
	[ -z "$failed" ]
}

# choose_user decides who owns the cluster: PostgreSQL refuses to run as root.
choose_user() {
	local candidate
	[ "$(id -u)" -eq 0 ] || return 0
	for candidate in postgres nobody; do
		if id "$candidate" >/dev/null 2>&1; then
			user=$candidate
			break
		fi
	done
	[ -n "$user" ] || die "PostgreSQL refuses to run as root, and there is no user 'postgres' or 'nobody' to run it as"
	for become in setpriv runuser su; do
		if as_user true 2>/dev/null; then
			return
		fi
	done
	die "PostgreSQL refuses to run as root, and none of setpriv, runuser and su could become '$user'"
}

# as_user runs a program as the cluster's owner, from a folder it can surely
# read and without the settings meant for the caller's own clusters.
as_user() (
	cd /
	unset PGDATA PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGOPTIONS PGSERVICE PGSSLMODE
	[ -n "$user" ] || exec "$@"
	# shellcheck disable=SC2016 # in the case of su, the inner shell expands "$@"
	case $become in
	setpriv) exec setpriv --reuid="$(id -u "$user")" --regid="$(id -g "$user")" --clear-groups -- "$@" ;;
	runuser) exec runuser -u "$user" -- "$@" ;;
	su) exec su -s /bin/sh -c 'exec "$@"' -- "$user" sh "$@" ;;
	esac
)

# make_folder wants a short path, for sockets, that the owner can reach. What
# must be durable goes where a memory file system is least likely.
make_folder() {
	local base
	local bases=("${TMPDIR:-/tmp}" /tmp /var/tmp)
	[ "$durable" = no ] || bases=("${TMPDIR:-/var/tmp}" /var/tmp /tmp)
	for base in "${bases[@]}"; do
		[ ${#base} -le 60 ] || continue
		folder=$(mktemp -d "${base%/}/vitrine-pg.XXXXXX") || continue
		[ -z "$user" ] || chown "$user:$(id -g "$user")" "$folder"
		if as_user mkdir "$folder/socket" 2>/dev/null; then
			return
		fi
		rm -rf "$folder"
		folder=
	done
	die "found no temporary folder that '${user:-$(id -un)}' can write to"
}

create_cluster() {
	local locale
	# Not every system knows C.UTF-8; C sorts the same.
	for locale in C.UTF-8 C; do
		if as_user "$programs/initdb" -D "$folder/data" -U vitrine -A trust --no-sync \
			--locale="$locale" -E UTF8 >"$folder/initdb.log" 2>&1 </dev/null; then
			settings >>"$folder/data/postgresql.conf"
			return
		fi
		rm -rf "$folder/data"
	done
	tail -n 20 "$folder/initdb.log" >&2
	die "could not create a cluster"
}

settings() {
	cat <<-END
		listen_addresses = '127.0.0.1'
		unix_socket_directories = '$folder/socket'
		max_connections = 200
		wal_keep_size = 512MB # for standbys that are made of it
	END
	if [ "$durable" = no ]; then
		cat <<-END
			fsync = off
			synchronous_commit = off
			full_page_writes = off
		END
		return
	fi
	cat <<-END
		fsync = on
		synchronous_commit = on
		full_page_writes = on
		shared_buffers = 512MB
		max_wal_size = 8GB
		jit = off
		random_page_cost = 1.1
		max_parallel_workers_per_gather = 0
	END
	if as_user "$programs/postgres" -D "$folder/data" -C wal_compression -c wal_compression=lz4 >/dev/null 2>&1; then
		echo "wal_compression = lz4"
	fi
}

# start_server tries ports until one is free: asking first would only be a guess.
# The server is our own child, so that its end can be waited for.
start_server() {
	local port attempt
	for ((attempt = 0; attempt < 10; attempt++)); do
		port=$((15000 + RANDOM % 17000))
		set -m # a process group of its own: Ctrl-C is not for the server
		as_user "$programs/postgres" -D "$folder/data" -p "$port" >"$folder/log" 2>&1 </dev/null &
		server=$!
		set +m
		if server_ready; then
			export VITRINE_TEST_POSTGRES="postgres://vitrine@127.0.0.1:$port/postgres?sslmode=disable"
			export VITRINE_TEST_POSTGRES_SOCKET="host=$folder/socket port=$port user=vitrine dbname=postgres sslmode=disable"
			write_crash
			write_standby "$port"
			return
		fi
		grep -q 'could not bind' "$folder/log" || break
	done
	tail -n 20 "$folder/log" >&2
	die "the server did not start"
}

# write_crash makes the program that crashes the cluster: every process of it
# drops what it is doing, and the next start recovers from the log.
write_crash() {
	export VITRINE_TEST_POSTGRES_CRASH=$folder/crash
	{
		echo '#!/usr/bin/env bash'
		echo 'set -euo pipefail'
		declare -p folder user become programs
		declare -f as_user
		# shellcheck disable=SC2016 # it expands where it runs
		echo 'as_user "$programs/pg_ctl" -D "$folder/data" -l "$folder/data/crash.log" -m immediate -w -t 60 restart </dev/null >/dev/null'
	} >"$VITRINE_TEST_POSTGRES_CRASH"
	chmod 700 "$VITRINE_TEST_POSTGRES_CRASH"
}

# write_standby makes the program that starts and ends standbys.
write_standby() {
	local port=$1
	export VITRINE_TEST_POSTGRES_STANDBY=$folder/standby
	{
		echo '#!/usr/bin/env bash'
		echo 'set -euo pipefail'
		declare -p folder user become programs port
		declare -f as_user standby
		# shellcheck disable=SC2016 # it expands where it runs
		echo 'standby "$@"'
	} >"$VITRINE_TEST_POSTGRES_STANDBY"
	chmod 700 "$VITRINE_TEST_POSTGRES_STANDBY"
}

# standby is the whole of that program.
standby() {
	local data=$folder/standby-$2 own attempt
	if [ "$1" = stop ]; then
		as_user "$programs/pg_ctl" -D "$data" -m immediate -w -t 30 stop </dev/null >&2
		rm -rf "$data"
		return
	fi
	as_user "$programs/pg_basebackup" -D "$data" -d "host=$folder/socket port=$port user=vitrine" -R -X stream -c fast --no-sync </dev/null >&2
	for ((attempt = 0; attempt < 10; attempt++)); do
		own=$((15000 + RANDOM % 17000))
		if as_user "$programs/pg_ctl" -D "$data" -o "-p $own" -l "$data/log" -w -t 120 start </dev/null >&2; then
			echo "$own"
			return
		fi
	done
	tail -n 20 "$data/log" >&2
	return 1
}

# server_ready waits until the server says so in its pid file, or has ended.
server_ready() {
	local i
	for ((i = 0; i < 1200; i++)); do
		case $(sed -n 8p "$folder/data/postmaster.pid" 2>/dev/null) in
		ready*) return 0 ;;
		esac
		kill -0 "$server" 2>/dev/null || return 1
		sleep 0.05
	done
	return 1
}

# clean_up runs on every exit and cannot be interrupted.
clean_up() {
	local status=$? pid
	trap '' INT TERM HUP
	set +e
	if [ -n "$command" ]; then
		end_group "$command"
	fi
	for pid in "$folder"/standby-*/postmaster.pid; do
		if [ -s "$pid" ]; then
			as_user "$programs/pg_ctl" -D "${pid%/*}" -m immediate -w -t 30 stop >/dev/null 2>&1 </dev/null
		fi
	done
	if [ -n "$server" ]; then
		if [ -s "$folder/data/postmaster.pid" ]; then
			pid=$(head -n 1 "$folder/data/postmaster.pid")
			as_user "$programs/pg_ctl" -D "$folder/data" -m immediate -w -t 30 stop >/dev/null 2>&1 </dev/null ||
				kill -KILL "$pid" 2>/dev/null
		else
			kill -QUIT "$server" 2>/dev/null
		fi
		wait "$server" 2>/dev/null
	fi
	if [ -n "$folder" ]; then
		rm -rf "$folder"
	fi
	exit "$status"
}

# end_group ends what the command left running: politely, then not.
end_group() {
	local i
	kill -TERM -- "-$1" 2>/dev/null || return 0
	for ((i = 0; i < 20; i++)); do
		kill -0 -- "-$1" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL -- "-$1" 2>/dev/null || return 0
}

# forward passes a signal to the command and all its children, or, when there
# is no command yet, just ends.
forward() {
	[ -n "$command" ] || exit "$((128 + $2))"
	forwarded=yes
	kill "-$1" -- "-$command" 2>/dev/null || true
}

trap clean_up EXIT
trap 'forward INT 2' INT
trap 'forward TERM 15' TERM
trap 'forward HUP 1' HUP

find_programs || { install_programs && find_programs; } || die \
	"the tests need the PostgreSQL server programs (initdb, pg_ctl, postgres), and they were not found.
  Debian, Ubuntu:  sudo apt-get install postgresql
  Fedora:          sudo dnf install postgresql-server
  macOS:           brew install postgresql
Or put their folder on the PATH, or name a running server yourself:
  export VITRINE_TEST_POSTGRES='postgres://user@host:5432/database?sslmode=disable'"
choose_user
make_folder
create_cluster
start_server

# Job control gives the command a process group of its own, so that a signal
# reaches all of it exactly once. A group in the background may not read the
# terminal, so it does not get it.
if [ -t 0 ]; then
	exec </dev/null
fi
set -m
"$@" &
command=$!
set +m

# A forwarded signal interrupts the wait: wait again, for the command's own end.
while :; do
	forwarded=
	status=0
	wait "$command" 2>/dev/null || status=$?
	[ -n "$forwarded" ] || break
done
exit "$status"
