#!/usr/bin/env bash
# Deletes the data of the local cloud, the builds and the templates. It asks before it deletes data, unless it is called with
# -yes, and needs nothing that has to be built first.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
data=${LOCAL_DIR:-.local}

yes=
for argument in "$@"; do
	case $argument in
	-yes | --yes) yes=1 ;;
	-h | -help | --help) echo "usage: make clean [ARGS=-yes]"; exit 0 ;;
	*) echo "make clean: $argument is not known (ARGS=-yes deletes without asking)" >&2; exit 2 ;;
	esac
done

if [ -e "$data" ]; then
	if [ -z "$yes" ]; then
		printf 'delete everything in %s? [y/N] ' "$data"
		read -r answer || true # no answer is no
		case $(printf %s "${answer:-}" | tr '[:upper:]' '[:lower:]') in
		y | yes) ;;
		*) echo "nothing was deleted (ARGS=-yes deletes without asking)" >&2; exit 1 ;;
		esac
	fi
	# A cloud that runs holds this lock: to delete its database under it would harm both.
	if [ -e "$data/lock" ] && command -v flock >/dev/null && ! flock -n "$data/lock" true; then
		echo "a local cloud uses $data: stop it first" >&2
		exit 1
	fi
	rm -rf -- "$data"
fi
rm -rf .local/bin build cdk.out
