# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Source packages of the distribution, from the archives that apt is configured for, without a change to that configuration. Sourced.

# deb_src FILE: the entries of a *.list or *.sources file for source packages, with the same archives, keys and options.
deb_src() {
  case $1 in
    *.sources) sed -E 's/^Types:.*/Types: deb-src/I' "$1" ;;
    *) sed -nE '/[[:space:]]cdrom:/d; s/^[[:space:]]*deb(-src)?([[:space:]])/deb-src\2/p' "$1" ;;
  esac
}

# write_deb_src FOLDER: the same for all entries that apt is configured with, as files of a folder.
write_deb_src() {
  local list parts file
  eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
  for file in "$list" "$parts"/*.list "$parts"/*.sources; do
    if [[ -f $file ]]; then deb_src "$file" >"$1/$(basename "$file")"; fi
  done
}

# fetch_sources FOLDER PACKAGE=VERSION...: unpacks source packages into FOLDER, with the distribution's patches. apt checks their
# signatures with the keys of this machine. Its lists and its cache are in FOLDER, too, so that it needs no root.
fetch_sources() {
  local folder=$1 apt=$1/apt
  shift
  mkdir -p "$apt"/{sources,lists/partial,cache/archives/partial}
  write_deb_src "$apt/sources"
  local options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" -o Dir::State::lists="$apt/lists"
    -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)")
  apt-get "${options[@]}" update || true # archives of others may have no sources, or be out of reach: what counts comes next
  (cd "$folder" && apt-get "${options[@]}" source "$@")
}
