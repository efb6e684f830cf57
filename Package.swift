// swift-tools-version: 6.2

import PackageDescription

/// The programs of Tests/Fuzz, one for each parser of bytes from outside. `Tests/Fuzz/run` builds them.
let fuzzPrograms = [
  "Certificates", "ClientHello", "Codings", "ConfigurationText", "FirstBytes", "HTTP1Request", "HTTP1Response",
  "HTTP2Session", "Imports", "Injection", "Names", "PropertyLists", "TLSServer", "Transparency", "TransportSecurity",
]
/// libFuzzer brings a `main` of its own, so these programs are there only on demand, and the tests are not then.
let isFuzzing = Context.environment["PINWARDEN_FUZZ"] == "1"
let fuzzed = ["Bytes", "Names", "TLS", "HTTP", "Codings", "HTML", "BodyHook", "Policy", "Configuration"]

/// The programs of Tests/Benchmarks, which measure one part each: `PINWARDEN_BENCHMARK=1 swift run -c release DecisionBenchmark`.
let benchmarkPrograms = ["DecisionBenchmark": ["Names", "Policy"]]
let isBenchmarking = Context.environment["PINWARDEN_BENCHMARK"] == "1"

/// A system library: a module map and a header, no C files. `package` is the Debian package that brings it.
func system(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// `.ci/run` sets the variable: our own code has no warnings.
let strictness: [SwiftSetting] =
  Context.environment["PINWARDEN_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")] + strictness

/// The targets through which every byte goes. In release builds they do without the dynamic checks for overlapping access, which
/// cost 7 % of a request's instructions; debug builds, and so the tests, have them.
let hotTargets: Set = ["Bytes", "EventLoop", "TLS", "HTTP", "Proxy"]
let hotSettings: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// The parts of the script that runs in pages, small enough to be embedded into the binary, so that no file can be missing beside it.
let scriptParts = ["bytes", "channels", "entries", "fetch", "forms", "frames", "reading", "requests", "settings"]

/// A target of our own with the modules that it may import (a test holds the import lines against this list).
func module(_ name: String, imports dependencies: [String], resources: [Resource] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Sources/\(name)", resources: resources,
    swiftSettings: settings + (hotTargets.contains(name) ? hotSettings : []))
}

func tests(_ name: String, imports dependencies: [String], data: Bool = false) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies.map { .byName(name: $0) }, path: "Tests/\(name)Tests",
    resources: data ? [.copy("Data")] : [], swiftSettings: settings)
}

/// What the fuzz programs claim about each parser is a library for them, and part of a test target for everyday use, which replays
/// the inputs that failed once.
var fuzzing: [Target] {
  guard isFuzzing else {
    return [
      .testTarget(
        name: "FuzzTests", dependencies: fuzzed.map { .byName(name: $0) }, path: "Tests/Fuzz",
        exclude: fuzzPrograms + ["Driver", "run"], swiftSettings: settings)
    ]
  }
  let checks = Target.target(
    name: "FuzzChecks", dependencies: fuzzed.map { .byName(name: $0) }, path: "Tests/Fuzz/Checks",
    swiftSettings: settings)
  let driver = Target.target(name: "FuzzDriver", path: "Tests/Fuzz/Driver", swiftSettings: settings)
  return [checks, driver]
    + fuzzPrograms.map { name in
      .executableTarget(
        name: "Fuzz\(name)", dependencies: ["FuzzChecks", "FuzzDriver"], path: "Tests/Fuzz/\(name)",
        exclude: ["Corpus", "Failures", "dictionary"],
        swiftSettings: settings)
    }
}

var benchmarks: [Target] {
  guard isBenchmarking else { return [] }
  return benchmarkPrograms.sorted { $0.key < $1.key }.map { name, modules in
    .executableTarget(
      name: name, dependencies: modules.map { .byName(name: $0) }, path: "Tests/Benchmarks/\(name)",
      swiftSettings: settings)
  }
}

let package = Package(
  name: "pinwarden",
  products: [.executable(name: "pinwarden", targets: ["pinwarden"])],
  targets: [
    system("CLinux", package: "libc6-dev"),
    system("CCares", pkgConfig: "libcares", package: "libc-ares-dev"),
    system("CCrypt", pkgConfig: "libcrypt", package: "libcrypt-dev"),
    system("COpenSSL", pkgConfig: "openssl", package: "libssl-dev"),
    system("CIDN2", pkgConfig: "libidn2", package: "libidn2-dev"),
    system("CPSL", pkgConfig: "libpsl", package: "libpsl-dev"),
    system("CPlist", pkgConfig: "libplist-2.0", package: "libplist-dev"),
    system("CNGHTTP2", pkgConfig: "libnghttp2", package: "libnghttp2-dev"),
    system("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    system("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
    system("CBrotli", pkgConfig: "libbrotlienc", package: "libbrotli-dev"),
    system("CZstd", pkgConfig: "libzstd", package: "libzstd-dev"),
    system("CQREncode", pkgConfig: "libqrencode", package: "libqrencode-dev"),

    module("Bytes", imports: []),
    module("Names", imports: ["Bytes", "CIDN2", "CPSL"]),
    module("EventLoop", imports: ["Bytes", "CLinux", "CCares", "CCrypt"]),
    module("TLS", imports: ["Bytes", "Names", "COpenSSL"]),
    module("Authority", imports: ["TLS", "Names"]),
    module("HTTP", imports: ["Bytes", "Names", "CNGHTTP2"]),
    module("Codings", imports: ["Bytes", "CZlib", "CBrotli", "CZstd"]),
    module("HTML", imports: ["Bytes"]),
    module("Policy", imports: ["Bytes", "Names"]),
    module("Configuration", imports: ["Policy", "TLS", "Names", "CPlist"]),
    module("Database", imports: ["CSQLite"]),
    module("Records", imports: ["Bytes", "Names", "Policy", "Database"]),
    module("Pictures", imports: ["Bytes", "Names", "HTTP", "HTML", "Database"]),
    module(
      "BodyHook", imports: ["Bytes", "Names", "HTTP", "HTML", "Codings"],
      resources: scriptParts.map { .embedInCode("Script/\($0).js") }),
    module(
      "Proxy",
      imports: [
        "Bytes", "Names", "EventLoop", "TLS", "Authority", "HTTP", "Codings", "HTML", "Policy", "Configuration",
        "Records", "Pictures", "BodyHook",
      ]),
    module(
      "Diagnosis",
      imports: ["Bytes", "Names", "EventLoop", "TLS", "HTTP", "Policy", "Configuration", "Records"]),
    module(
      "Console",
      imports: ["Bytes", "Names", "EventLoop", "HTTP", "Configuration", "Records", "Codings", "CQREncode"],
      resources: [.copy("Page")]),
    .executableTarget(
      name: "pinwarden",
      dependencies: [
        "Bytes", "Names", "EventLoop", "TLS", "Authority", "HTTP", "Policy", "Configuration", "Database", "Records",
        "Pictures", "Proxy", "Diagnosis", "Console",
      ], path: "Sources/pinwarden", swiftSettings: settings),

    tests("Structure", imports: []),
    tests("Bytes", imports: ["Bytes"]),
    tests("Names", imports: ["Names", "Bytes"]),
    tests("EventLoop", imports: ["EventLoop", "Bytes"]),
    tests("TLS", imports: ["TLS", "Names", "Bytes", "COpenSSL"], data: true),
    tests("Authority", imports: ["Authority", "TLS", "Names", "Bytes"]),
    tests("HTTP", imports: ["HTTP", "Names", "Bytes"], data: true),
    tests("Codings", imports: ["Codings", "Bytes"]),
    tests("HTML", imports: ["HTML", "Bytes"]),
    tests("Policy", imports: ["Policy", "Names", "Bytes"], data: true),
    tests("Configuration", imports: ["Configuration", "Policy", "TLS", "Names"], data: true),
    tests("Database", imports: ["Database"]),
    tests("Records", imports: ["Records", "Database", "Policy", "Names", "Bytes"]),
    tests("Pictures", imports: ["Pictures", "HTTP", "HTML", "Names", "Bytes", "Database"]),
    tests("BodyHook", imports: ["BodyHook", "HTTP", "HTML", "Codings", "Names", "Bytes"]),
    tests(
      "Diagnosis",
      imports: [
        "Diagnosis", "Bytes", "Names", "EventLoop", "TLS", "HTTP", "Policy", "Configuration", "Records", "COpenSSL",
      ]),
    tests(
      "Proxy",
      imports: [
        "Bytes", "Names", "EventLoop", "TLS", "Authority", "HTTP", "Policy", "Configuration", "Records", "Proxy",
        "Pictures", "BodyHook", "Codings", "HTML", "COpenSSL",
      ]),
    tests(
      "Console",
      imports: ["Console", "Configuration", "EventLoop", "HTTP", "Names", "Bytes", "Policy", "Records", "TLS"]),
    tests(
      "pinwarden",
      imports: [
        "pinwarden", "Authority", "Bytes", "Console", "Diagnosis", "EventLoop", "HTTP", "Names", "TLS", "Policy",
        "Proxy",
        "Configuration", "Database", "Records",
      ]),
  ] + fuzzing + benchmarks
)
