#!/usr/bin/env bash
# docs/scene.md, docs/study.md and docs/methods.md are what the tool prints. The choices of linear solvers depend on the build: skipped
# without them.
set -euo pipefail
tool=$1 source=$2
"$tool" schema --methods | diff -u "$source/docs/methods.md" - ||
  { echo "docs/methods.md is out of date: sinew schema --methods > docs/methods.md"; exit 1; }
"$tool" schema --study --markdown | diff -u "$source/docs/study.md" - ||
  { echo "docs/study.md is out of date: sinew schema --study --markdown > docs/study.md"; exit 1; }
for component in cholmod mumps; do
  "$tool" doctor | grep -q "^ok *$component " || { echo "$component is not built in"; exit 77; }
done
"$tool" schema --markdown | diff -u "$source/docs/scene.md" - ||
  { echo "docs/scene.md is out of date: sinew schema --markdown > docs/scene.md"; exit 1; }
