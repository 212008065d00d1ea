#!/usr/bin/env bash
# Lets XBoard play a game of Zugwerk against itself on a virtual screen, with Polyglot as the adapter between the two
# protocols. Checks the game, and saves a picture of the window.
#
# usage: .ci/xboard.sh ENGINE [PICTURE.png]
# If a program is missing, it prints this and exits with 0: apt-get install xboard polyglot xvfb imagemagick
set -euo pipefail

PATH=$PATH:/usr/games
engine=$(realpath "$1")
picture=$(realpath -m "${2:-/dev/null}")
patience=180

for program in xboard polyglot Xvfb import; do
    if ! command -v "$program" >/dev/null; then
        echo "not run: no $program; apt-get install xboard polyglot xvfb imagemagick"
        exit 0
    fi
done

folder=$(mktemp -d)
screen_id=
board_id=
clean_up() {
    for id in $board_id $screen_id; do kill "$id" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap clean_up EXIT
fail() { echo "xboard: $*" >&2; exit 1; }

# Xvfb chooses a free display number and writes it to the file descriptor.
exec 3<>"$folder/display"
Xvfb -displayfd 3 -screen 0 800x700x24 -nolisten tcp 2>"$folder/screen.log" &
screen_id=$!
for ((tenth = 0; tenth < 100; tenth++)); do [ -s "$folder/display" ] && break; sleep 0.1; done
[ -s "$folder/display" ] || fail "no screen: $(cat "$folder/screen.log")"
DISPLAY=:$(tr -d '\n' <"$folder/display")
export DISPLAY

cd "$folder"
# XBoard looks up the home folder of the user by itself, whatever HOME says, so that its settings file must be named.
xboard -settingsFile "$folder/settings" -saveSettingsFile "$folder/settings" -fUCI -sUCI -fcp "$engine" -scp "$engine" \
    -mode TwoMachines -mg 1 -tc 0:20 -inc 0.1 -popupExitMessage false -saveGameFile game.pgn -size 49 >xboard.log 2>&1 &
board_id=$!
sleep 20
if [ "$picture" != /dev/null ]; then import -window root -trim +repage +dither -colors 16 "PNG8:$picture"; fi
for ((second = 0; second < patience; second++)); do
    kill -0 "$board_id" 2>/dev/null || break
    sleep 1
done
kill -0 "$board_id" 2>/dev/null && fail "the game is not over after $patience seconds"
[ -s game.pgn ] || fail "no game: $(cat xboard.log)"
result=$(sed -n 's/^\[Result "\(.*\)"\]/\1/p' game.pgn)
ending=$(tr '\n' ' ' <game.pgn | grep -o '{[^}]*}[^{}]*$' || true)
case $result in 1-0 | 0-1 | 1/2-1/2) ;; *) fail "expected a result, got: $result $ending" ;; esac
case $ending in *forfeit* | *llegal* | *crash* | *died* | *exited*) fail "$result $ending" ;; esac
echo "$result $ending"
