#!/usr/bin/env bash
# Tests what packages are made of, and the recipe with stand-ins for what a machine may lack.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() { [[ $2 == *"$3"* ]] || { echo "$1: expected \`$3\`, got: $2" >&2; exit 1; }; }

# Every link of a package leads to a file of it, and its first page has no word that was to be replaced.
for package in x86-64-v1 aarch64 windows-x86-64-v3; do
    mkdir "$folder/$package"
    .ci/packages/fill.py "$folder/$package" "$package" 1.0.0 source.tar.gz
    .ci/packages/fill.py --check "$folder/$package"
    if grep '[{}]' "$folder/$package/README.txt"; then exit 1; fi
    expect "the heading" "$(cat "$folder/$package/README.txt")" "LICENCE AND SOURCE"
done
expect "the first line for Windows" "$(head -n 1 "$folder/windows-x86-64-v3/README.txt")" $'ZUGWERK 1.0.0\r'
echo "[a](nothing.md)" >>"$folder/aarch64/docs/play.md"
if .ci/packages/fill.py --check "$folder/aarch64" 2>"$folder/said"; then echo "expected a broken link to be found" >&2; exit 1; fi
expect "a broken link" "$(cat "$folder/said")" "docs/play.md: nothing.md"

# A package that is named and cannot be built is a failure, at once. The stand-in for the compiler has no library for it.
mkdir "$folder/bin"
printf '#!/bin/sh\necho /nowhere\n' >"$folder/bin/rustc"
chmod +x "$folder/bin/rustc"
status=0
said=$(PATH=$folder/bin:/usr/bin:/bin timeout 20 .ci/package windows-x86-64-v3 aarch64 2>&1 </dev/null) || status=$?
expect "a package that cannot be built" "$status $said" "1 package: "
expect "a package that cannot be built" "$said" "cannot be built here; it would need: "

# A processor that even qemu lacks is no failure of the others.
(
    # shellcheck source=../package
    source .ci/package
    has() { true; }
    qemu-x86_64() { echo "zugwerk: expected a processor with AVX-512"; return 2; }
    run=()
    if may_be_emulated ./zugwerk; then echo "expected that it cannot be tried" >&2; exit 1; fi
    qemu-x86_64() { echo "bestmove e2e4"; }
    run=()
    may_be_emulated ./zugwerk
    expect "the emulator" "${run[*]}" "qemu-x86_64 -cpu max"
) >/dev/null

# The notes of a version are its own.
printf '## 1.0.10\n\nten\n\n## 1.0.1\n\none\n' >"$folder/changelog"
expect "notes" "$(.ci/packages/notes 1.0.1 "$folder/changelog" | tr '\n' ' ')" " one"
if .ci/packages/notes 1.0.1 "$folder/changelog" | grep ten; then exit 1; fi
if .ci/packages/notes 1.0 "$folder/changelog" 2>/dev/null; then echo "expected no notes of 1.0" >&2; exit 1; fi
echo "links, first pages and notes are right, and so is what the recipe says"
