// swift-tools-version: 6.2

import PackageDescription

/// `SETTINGS_STATIC=1` links libgit2 and what it needs into the program: `Scripts/build` sets it for releases.
let linksStatically = Context.environment["SETTINGS_STATIC"] == "1"

/// `SETTINGS_STRICT=1` makes this package's warnings errors, not those of what it depends on: `Scripts/check` sets it.
let isStrict = Context.environment["SETTINGS_STRICT"] == "1"

/// `SETTINGS_FUZZ=1` makes the tests of `FuzzTests` a program that libFuzzer runs: `Scripts/fuzz` sets it.
let fuzzes = Context.environment["SETTINGS_FUZZ"] == "1"

/// `SETTINGS_SERVER=1` adds the server, with what it alone needs: nobody else fetches or builds that.
let buildsServer = Context.environment["SETTINGS_SERVER"] == "1"

let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let hardening = ["-fstack-protector-strong", "-Wformat", "-Werror=format-security"]

/// In releases hardened as Debian's own programs are; the linker's part stands in `Scripts/build`.
let cSettings: [CSetting] =
    (isStrict ? [.treatAllWarnings(as: .error)] : [])
    + (linksStatically ? [.define("_FORTIFY_SOURCE", to: "2"), .unsafeFlags(hardening)] : [])

/// In releases, all but the model and what reads git is compiled for size: 1.2 MB, and 2 % of the time that `list` takes.
let sizedSettings = swiftSettings + (linksStatically ? [.unsafeFlags(["-Osize"])] : [])

let package = Package(
    name: "settings",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "settings", targets: ["settings"]),
        .library(name: "SettingsKit", targets: ["SettingsKit"]),
        .library(name: "SettingsModel", targets: ["SettingsModel"]),
        .library(name: "ConfigurationSettings", targets: ["ConfigurationSettings"]),
    ],
    traits: [
        .trait(name: "Configuration", description: "ConfigurationSettings: a store as a provider of swift-configuration."),
        // The server's framework fetches it anyway, and its tests are run with the server's.
        .default(enabledTraits: buildsServer ? ["Configuration"] : []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    ],
    targets: [
        // C libraries: a module map and a header each.
        .systemLibrary(
            name: "CGit2",
            pkgConfig: linksStatically ? nil : "libgit2",
            providers: [.apt(["libgit2-dev"]), .brew(["libgit2"])]
        ),
        .systemLibrary(
            name: "CCrypto",
            pkgConfig: linksStatically ? nil : "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CPCRE2",
            pkgConfig: linksStatically ? nil : "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]
        ),
        .systemLibrary(
            name: "CExpat",
            pkgConfig: linksStatically ? nil : "expat",
            providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: linksStatically ? nil : "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .target(
            name: "CTransports",
            cSettings: cSettings + (linksStatically ? [.define("SETTINGS_STATIC")] : [])
        ),

        // What `--version` says of the build; a target of its own, so that nothing else is compiled again.
        .target(
            name: "CBuild",
            cSettings: Context.environment["SETTINGS_COMMIT"].map { [.define("SETTINGS_COMMIT", to: "\"\($0)\"")] } ?? []),
        // The system's calls that Swift doesn't reach.
        .target(name: "CFiles", cSettings: cSettings),
        // ncursesw, without the macros, variadic functions and globals that Swift doesn't reach. Linked by name: pkg-config's
        // flags would be dropped.
        .target(
            name: "CTerminal",
            cSettings: cSettings,
            linkerSettings: ["ncursesw", "tinfo"].map {
                .linkedLibrary(linksStatically ? ":lib\($0).a" : $0, .when(platforms: [.linux]))
            } + [.linkedLibrary("ncurses", .when(platforms: [.macOS]))]
        ),
        // Git's objects where libgit2 is too slow or wrong.
        .target(
            name: "CGitObjects",
            dependencies: ["CFiles", "CGit2", "CCrypto"],
            cSettings: cSettings,
            linkerSettings: linksStatically ? [] : [.linkedLibrary("z")]
        ),

        // The layers; each may import only what stands in its row.
        .target(name: "Base", swiftSettings: swiftSettings),
        .target(name: "Files", dependencies: ["Base", "CFiles"], swiftSettings: swiftSettings),
        .target(
            name: "Git",
            dependencies: ["Base", "CGit2", "CGitObjects", "CTransports", "Files"],
            swiftSettings: swiftSettings,
            linkerSettings: linksStatically ? staticLibraries : []
        ),
        .target(name: "SettingsModel", dependencies: ["Base", "CPCRE2"], swiftSettings: swiftSettings),
        .target(name: "SettingsStore", dependencies: ["Files", "Git", "SettingsModel"], swiftSettings: sizedSettings),
        .target(name: "SettingsText", dependencies: ["SettingsModel"], swiftSettings: sizedSettings),
        // A store for a program that keeps running.
        .target(
            name: "SettingsKit",
            dependencies: ["Base", "Files", "SettingsFormats", "SettingsModel", "SettingsStore", "SettingsText"],
            swiftSettings: swiftSettings),
        // Empty without the trait: nobody else fetches or builds swift-configuration.
        .target(
            name: "ConfigurationSettings",
            dependencies: [
                "SettingsKit", "SettingsModel",
                .product(
                    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"])),
            ],
            swiftSettings: swiftSettings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        // Pages of settings, without a terminal; and what shows them in one.
        .target(name: "SettingsPages", dependencies: ["SettingsModel", "SettingsText"], swiftSettings: sizedSettings),
        .target(
            name: "SettingsTUI",
            dependencies: ["CTerminal", "Files", "SettingsModel", "SettingsPages", "SettingsStore", "SettingsText"],
            swiftSettings: sizedSettings),
        .target(
            name: "SettingsCLI",
            dependencies: [
                "CBuild", "Files", "SettingsModel", "SettingsStore", "SettingsText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: sizedSettings
        ),
        // Other programs' files.
        .target(
            name: "SettingsFormats",
            dependencies: ["CExpat", "CYAML", "Files", "SettingsModel"],
            swiftSettings: sizedSettings,
            linkerSettings: ["expat", "yaml"].map { .linkedLibrary(linksStatically ? ":lib\($0).a" : $0) }
        ),

        // The program.
        .executableTarget(
            name: "settings", dependencies: ["SettingsCLI", "SettingsFormats", "SettingsModel", "SettingsPages", "SettingsTUI"],
            swiftSettings: swiftSettings),

        // Random cases that come out the same from the same seed.
        .target(name: "Seeds", dependencies: ["SettingsModel"], path: "Tests/Seeds", swiftSettings: swiftSettings),
        .testTarget(
            name: "SettingsModelTests", dependencies: ["CGit2", "Seeds", "SettingsModel", "Surroundings"],
            swiftSettings: swiftSettings),
        // The library from outside the package: nothing that is `package`, and no `@testable`.
        .testTarget(
            name: "LibraryTests", dependencies: ["SettingsKit", "SettingsModel"], packageAccess: false,
            swiftSettings: swiftSettings),
        .testTarget(
            name: "FilesTests", dependencies: ["Base", "Files", "Seeds"], swiftSettings: swiftSettings),
        // Temporary folders, programs and their environment, for tests.
        .target(name: "Surroundings", dependencies: ["Git"], path: "Tests/Surroundings", swiftSettings: swiftSettings),
        .testTarget(
            name: "GitTests", dependencies: ["Base", "Files", "Git", "Seeds", "Surroundings"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SettingsStoreTests",
            dependencies: [
                "Files", "Git", "Seeds", "SettingsModel", "SettingsPages", "SettingsStore", "SettingsText", "Surroundings",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "SettingsTextTests",
            dependencies: ["Seeds", "SettingsModel", "SettingsText"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "SettingsPagesTests",
            dependencies: ["Seeds", "SettingsModel", "SettingsPages", "SettingsText"],
            exclude: ["Screens"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "SettingsCLITests",
            dependencies: [
                "Seeds", "SettingsCLI", "SettingsKit", "SettingsModel", "SettingsText", "Surroundings", "settings",
            ],
            exclude: ["HostileStores", "Released", "Servers", "Transcripts"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "SettingsFormatsTests",
            dependencies: ["Seeds", "SettingsFormats", "SettingsModel", "Surroundings"],
            swiftSettings: swiftSettings
        ),
        fuzzTarget,
    ],
    swiftLanguageModes: [.v6]
)

// `SETTINGS_BENCHMARK=1` adds what writes without a process for each version: `Scripts/benchmark` sets it.
if Context.environment["SETTINGS_BENCHMARK"] == "1" {
    package.targets.append(
        .executableTarget(
            name: "settings-writer", dependencies: ["SettingsModel", "SettingsStore"], path: "Scripts/benchmarks/writer",
            swiftSettings: swiftSettings))
}

if buildsServer {
    package.products.append(.executable(name: "settings-serve", targets: ["settings-serve"]))
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: [])
    ]
    package.targets += [
        .target(
            name: "SettingsServer",
            dependencies: [
                "CCrypto", "Files", "SettingsKit", "SettingsModel", "SettingsPages", "SettingsStore", "SettingsText",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
            ],
            resources: [.embedInCode("Resources/page.css"), .embedInCode("Resources/page.js")],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "settings-serve",
            dependencies: ["Files", "SettingsServer", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SettingsServerTests",
            dependencies: [
                "Seeds", "SettingsKit", "SettingsModel", "SettingsServer", "SettingsStore", "Surroundings", "settings",
                "settings-serve",
            ],
            swiftSettings: swiftSettings),
        // An example for those who use the library, run by Scripts/pages.
        .executableTarget(
            name: "shop",
            dependencies: [
                "ConfigurationSettings", "SettingsKit",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Tests/Examples/Shop",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ConfigurationSettingsTests",
            dependencies: [
                "ConfigurationSettings", "SettingsKit", "Surroundings", "settings",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
            ],
            swiftSettings: swiftSettings),
    ]
}

/// One folder, two ways: tried with a fixed number of inputs by the tests, with any number by libFuzzer.
var fuzzTarget: Target {
    let dependencies: [Target.Dependency] = [
        "CGit2", "CGitObjects", "Git", "SettingsFormats", "SettingsModel", "SettingsPages", "SettingsStore", "SettingsText",
    ]
    let inputs = ["Finds", "Inputs"]
    return fuzzes
        ? .executableTarget(
            name: "fuzz", dependencies: dependencies, path: "Tests/FuzzTests",
            exclude: inputs + ["FuzzTests.swift", "Mutator.swift"], swiftSettings: swiftSettings)
        : .testTarget(
            name: "FuzzTests", dependencies: dependencies + ["Seeds"], exclude: inputs + ["Program.swift"],
            swiftSettings: swiftSettings)
}

/// What libgit2 of Debian 12 is built on, in the order a linker wants it.
var staticLibraries: [LinkerSetting] {
    [
        "git2", "mbedcrypto", "http_parser", "crypto", "pcre2-8", "z",
    ].map { .linkedLibrary(":lib\($0).a") }
}
