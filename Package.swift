// swift-tools-version: 6.2
import PackageDescription

/// Whether a warning stops the build, as in 'make' and in continuous integration.
///
/// A package that others build must not stop compiling at the next compiler's new warning.
let warningsAreErrors = Context.environment["LINKAUDIT_WARNINGS_AS_ERRORS"] != nil

/// The settings of every Swift target: the language mode is Swift 6, and unsafe code must say so.
let settings: [SwiftSetting] =
  (warningsAreErrors ? [.treatAllWarnings(as: .error)] : []) + [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]

/// The settings of test targets: 'make test' builds everything else with optimization, and tests
/// are compiled in a third of the time without.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The settings of the command, the largest module and the last one to be compiled: file by file it
/// takes two thirds of the time, on two processors, and nothing in it is called for each line.
let commandSettings =
  settings + [
    .unsafeFlags(
      ["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
  ]

/// The libraries of C that decompress.
let decompression: [Target.Dependency] = [
  "CZlib",
  .target(name: "CISAL", condition: .when(traits: ["ISAL"])),
  .target(name: "CZstd", condition: .when(traits: ["Zstd"])),
  .target(name: "CBzip2", condition: .when(traits: ["Bzip2"])),
  .target(name: "CLZMA", condition: .when(traits: ["XZ"])),
]

/// The modules that fuzz targets call.
let fuzzed: [Target.Dependency] = [
  "Foundations", "UniversalLinks", "AccessLogs", "TrafficDigest", "LinkAuditing", "FileDelivery",
  "Reporting", "LinkAuditCommand", "TestSupport",
  .product(name: "SystemPackage", package: "swift-system"),
]

let package = Package(
  name: "linkaudit",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "UniversalLinks", targets: ["UniversalLinks"]),
    .executable(name: "linkaudit", targets: ["linkaudit"]),
  ],
  traits: [
    .trait(name: "ISAL", description: "Read and write gzip with ISA-L, which must be installed."),
    .trait(name: "Zstd", description: "Read zstd with libzstd, which must be installed."),
    .trait(name: "Bzip2", description: "Read bzip2 with libbz2, which must be installed."),
    .trait(name: "XZ", description: "Read xz with liblzma, which must be installed."),
    .trait(
      name: "Curl",
      description:
        "Build 'linkaudit fetch'. The headers of libcurl must be installed; the library is loaded when fetch runs."
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CISAL", providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(name: "CBzip2", providers: [.apt(["libbz2-dev"]), .brew(["bzip2"])]),
    .systemLibrary(name: "CLZMA", providers: [.apt(["liblzma-dev"]), .brew(["xz"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(name: "CProcessor"),
    .target(name: "Foundations", swiftSettings: settings),
    .target(name: "FoundationSubset", swiftSettings: settings),
    .target(
      name: "UniversalLinks",
      dependencies: ["Foundations", .product(name: "SwiftASN1", package: "swift-asn1")],
      swiftSettings: settings
    ),
    .target(
      name: "WarehouseQueries",
      dependencies: ["Foundations", "UniversalLinks"],
      swiftSettings: settings
    ),
    .target(
      name: "AccessLogs",
      dependencies: decompression + [
        "CProcessor", "Foundations", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "TrafficDigest",
      dependencies: [
        "AccessLogs", "CProcessor", "Foundations", "FoundationSubset",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "LinkAuditing",
      dependencies: ["Foundations", "UniversalLinks", "TrafficDigest"],
      swiftSettings: settings
    ),
    .target(
      name: "AuditStore",
      dependencies: [
        "AccessLogs", "CSQLite", "Foundations", "FoundationSubset", "TrafficDigest",
        "LinkAuditing", "UniversalLinks",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "FileDelivery",
      dependencies: [
        "AccessLogs", "Foundations", "FoundationSubset", "LinkAuditing", "UniversalLinks",
        .target(name: "CCurl", condition: .when(traits: ["Curl"])),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Reporting",
      dependencies: [
        "AccessLogs", "BuildVersion", "FileDelivery", "Foundations",
        "FoundationSubset", "LinkAuditing", "TrafficDigest", "UniversalLinks",
      ],
      resources: [.embedInCode("HTML/Page.css"), .embedInCode("HTML/Page.js")],
      swiftSettings: commandSettings
    ),
    .plugin(name: "CommitStamp", capability: .buildTool()),
    .target(name: "BuildVersion", swiftSettings: settings, plugins: ["CommitStamp"]),
    // A library, so that the fuzzer can link it. The executable only calls its main function.
    .target(
      name: "LinkAuditCommand",
      dependencies: [
        "AccessLogs", "AuditStore", "BuildVersion", "CYAML", "FileDelivery", "Foundations",
        "FoundationSubset", "LinkAuditing", "Reporting", "TrafficDigest", "UniversalLinks",
        "WarehouseQueries",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Sources/linkaudit",
      swiftSettings: commandSettings
    ),
    .executableTarget(
      name: "linkaudit", dependencies: ["LinkAuditCommand"], path: "Sources/Main",
      swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: decompression + [
        "AccessLogs", "Foundations", "TrafficDigest", "UniversalLinks",
      ],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "UniversalLinksTests",
      dependencies: ["Foundations", "UniversalLinks", "TestSupport"],
      exclude: ["Vectors"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "WarehouseQueriesTests",
      dependencies: ["TestSupport", "UniversalLinks", "WarehouseQueries"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "AccessLogsTests",
      dependencies: ["AccessLogs", "Foundations", "TestSupport"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "TrafficDigestTests",
      dependencies: [
        "AccessLogs", "Foundations", "TrafficDigest", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "LinkAuditingTests",
      dependencies: [
        "AccessLogs", "Foundations", "LinkAuditing", "TrafficDigest", "UniversalLinks",
        "TestSupport",
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "AuditStoreTests",
      dependencies: [
        "AccessLogs", "AuditStore", "Foundations", "LinkAuditing", "TrafficDigest",
        "UniversalLinks", "TestSupport",
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "FileDeliveryTests",
      dependencies: [
        "FileDelivery", "Foundations", "LinkAuditing", "UniversalLinks", "TestSupport",
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "LinkAuditTests",
      dependencies: [
        "linkaudit", "AccessLogs", "AuditStore", "FileDelivery", "Foundations", "LinkAuditCommand",
        "LinkAuditing", "Reporting", "TrafficDigest", "UniversalLinks", "TestSupport",
      ],
      exclude: ["Cases", "Inputs", "Scripts"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "FuzzingTests",
      dependencies: fuzzed,
      path: "Tests/Fuzzing",
      exclude: ["Driver", "Findings"],
      swiftSettings: testSettings
    ),
  ]
)

// Fuzz targets behind libFuzzer's driver, in place of their tests: Scripts/fuzz.sh builds them. They
// link only with libFuzzer, so no other build has this target.
if Context.environment["LINKAUDIT_FUZZING"] != nil {
  package.targets.removeAll { $0.name == "FuzzingTests" }
  package.targets.append(
    .executableTarget(
      name: "linkaudit-fuzz", dependencies: fuzzed, path: "Tests/Fuzzing",
      exclude: ["Findings", "FuzzingTests.swift"], swiftSettings: settings))
}

// The tests of some modules alone, such as LINKAUDIT_TESTS="AccessLogsTests TrafficDigestTests":
// 'swift build --product linkauditPackageTests' then compiles only what these need.
if let names = Context.environment["LINKAUDIT_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
