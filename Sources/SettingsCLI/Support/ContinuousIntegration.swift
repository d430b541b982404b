import ArgumentParser
import SettingsModel

/// Hosting services, and the job that each should run before a merge.
enum ContinuousIntegration: String, CaseIterable, ExpressibleByArgument {
    case github, gitlab

    /// The lines of the job's file for a store in this folder of the repository; empty for its root.
    func lines(storeIn folder: String) -> [String] {
        job(folder.isEmpty ? nil : "SETTINGS_STORE: \(JSON.string(folder).compact)")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func job(_ variable: String?) -> String {
        switch self {
        case .github:
            """
            # Checks that merging or squashing this pull request chooses what people chose.
            # The runner must have 'settings' on its PATH.
            name: settings
            on: pull_request
            permissions:
              contents: read\(variable.map { "\nenv:\n  \($0)" } ?? "")
            jobs:
              verify:
                runs-on: ubuntu-latest
                steps:
                  - uses: actions/checkout@v4
                    with:
                      fetch-depth: 0
                      ref: ${{ github.event.pull_request.head.sha }}
                  - run: settings verify
                  - run: settings verify --merge "origin/$BASE" HEAD
                    env:
                      BASE: ${{ github.base_ref }}
            """
        case .gitlab:
            """
            # Checks that merging or squashing this merge request chooses what people chose.
            # The runner must have 'settings' on its PATH.
            settings:
              rules:
                - if: $CI_PIPELINE_SOURCE == "merge_request_event"
              variables:
                GIT_DEPTH: "0"\(variable.map { "\n    \($0)" } ?? "")
              script:
                - git fetch origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
                - settings verify
                - settings verify --merge FETCH_HEAD "$CI_COMMIT_SHA"
            """
        }
    }
}
