import Surroundings
import Testing

/// A store that is followed by 'settings watch' while shell lines work on it with this program and with git.
///
/// Nothing depends on how fast anything is: lines wait until what they expect has been printed.
struct Watched: CustomTestStringConvertible, Sendable {
    var name: String
    /// Shell lines that are run in `store`; each line that they print is a failure.
    var lines: String
    /// Of processor time, for each process.
    var seconds = 20

    var testDescription: String { name }

    static let functions = #"""
        broken() { echo "$*"; }
        expect() { [ "$2" = "$3" ] || broken "$1: '$2', not '$3'"; }
        # Starts a watch that begins here; its output goes to ../NAME, its errors to ../NAME.errors, and $pid is its process.
        follow() {
          local name=$1 start; shift
          # Before the watch is started, which may take longer than the next version does.
          start=$(git rev-parse HEAD)
          settings watch --since "$start" "$@" >../"$name" 2>../"$name".errors & pid=$!
        }
        # Waits until a file has so many lines, or so many that match.
        lines() { until [ "$(grep -c -e "${3-}" "../$1")" -ge "$2" ]; do sleep 0.02; alive "$1" || return; done; }
        alive() { kill -0 $pid 2>/dev/null || { broken "the watch has ended: $(cat ../${1%.errors} ../${1%.errors}.errors)"; return 1; }; }
        # Ends the watch, which has to end well.
        finish() { kill -TERM $pid; wait $pid; expect 'exit status' $? 0; }
        # The ids in a file of JSON lines, or those of some events.
        ids() { grep "${2-}" "../$1" | grep -v '"event":"bookmark"' | sed 's/^[^}]*"id":"\([0-9a-f]*\)".*/\1/'; }
        since() { git rev-list --first-parent --reverse "$1..${2-HEAD}"; }
        set -m
        trap 'kill -KILL $(jobs -p) 2>/dev/null' EXIT
        trap 'exit 124' TERM
        """#

    func check() throws {
        let store = try BadInputStore.make()
        let run = try store.run(Self.functions + "\n" + lines, within: seconds)
        #expect(run.output.isEmpty && run.status == 0, "\(run.output)\(run.errors.suffix(1000))[exit status: \(run.status)]")
    }
}
