import Foundation
import Testing

/// The design as a table: which target may import which module. An import that is not here is a door where the plan has a wall;
/// change the plan first.
private let allowed: [String: Set<String>] = [
  "Bytes": [],
  "Names": ["Bytes", "CIDN2", "CPSL"],
  "EventLoop": ["Bytes", "CLinux", "CCares", "CCrypt"],
  "TLS": ["Bytes", "Names", "COpenSSL"],
  "Authority": ["TLS", "Names"],
  "HTTP": ["Bytes", "Names", "CNGHTTP2"],
  "Codings": ["Bytes", "CZlib", "CBrotli", "CZstd"],
  "HTML": ["Bytes"],
  "Policy": ["Bytes", "Names"],
  "Configuration": ["Policy", "TLS", "Names", "CPlist"],
  "Database": ["CSQLite"],
  "Records": ["Bytes", "Names", "Policy", "Database"],
  "Pictures": ["Bytes", "Names", "HTTP", "HTML", "Database"],
  "BodyHook": ["Bytes", "Names", "HTTP", "HTML", "Codings"],
  "Proxy": [
    "Bytes", "Names", "EventLoop", "TLS", "Authority", "HTTP", "Codings", "HTML", "Policy", "Configuration", "Records",
    "Pictures", "BodyHook",
  ],
  "Diagnosis": ["Bytes", "Names", "EventLoop", "TLS", "HTTP", "Policy", "Configuration", "Records"],
  "Console": ["Bytes", "Names", "EventLoop", "HTTP", "Configuration", "Records", "Codings", "CQREncode"],
  "pinwarden": [
    "Bytes", "Names", "EventLoop", "TLS", "Authority", "HTTP", "Policy", "Configuration", "Database", "Records",
    "Pictures", "Proxy", "Diagnosis", "Console",
  ],
]

/// What the table names and is no target with code of its own.
private let systemLibraries = Set(allowed.values.joined()).filter { allowed[$0] == nil }

/// Modules of the toolchain that every target may import.
private let toolchain: Set<String> = ["Swift", "Glibc", "Dispatch", "Synchronization"]

/// Foundation is large and slow to start: it stays where files are read and pages are made, off the path of a request.
private let mayUseFoundation: Set<String> = ["Configuration", "Records", "Diagnosis", "Console", "pinwarden"]
private let foundation: Set<String> = ["Foundation", "FoundationEssentials", "FoundationXML"]

@Suite struct StructureTests {
  /// One `import` line of a source file.
  private struct Import {
    let target: String
    let module: String
    let file: String
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func files() throws -> [String] {
    let sources = try #require(FileManager.default.enumerator(atPath: root.appending(path: "Sources").path()))
    return sources.compactMap { $0 as? String }
  }

  private static func imports() throws -> [Import] {
    try files().filter { $0.hasSuffix(".swift") }.flatMap { file in
      let target = file.prefix { $0 != "/" }
      return try String(contentsOf: root.appending(path: "Sources/\(file)"), encoding: .utf8).split(separator: "\n")
        .compactMap { module(ofLine: $0) }.map { Import(target: String(target), module: $0, file: file) }
    }
  }

  /// The module of a line such as `public import TLS` or `import struct Foundation.Data`; nil for other lines.
  static func module(ofLine line: Substring) -> String? {
    let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
    while let word = words.first, word.hasPrefix("@") || modifiers.contains(word) { words = words.dropFirst() }
    guard words.popFirst() == "import", var name = words.popFirst() else { return nil }
    if kinds.contains(name), let next = words.first { name = next }
    return name.split(separator: ".").first.map { String($0) }
  }

  @Test(arguments: [
    ("import TLS", "TLS"), ("public import Names", "Names"), ("@testable import Console", "Console"),
    ("import struct Foundation.Data", "Foundation"), ("  internal import Bytes", "Bytes"), ("// import TLS", nil),
    ("important = 1", nil),
  ])
  func importLinesAreRecognised(line: String, module: String?) {
    #expect(Self.module(ofLine: line[...]) == module)
  }

  @Test func targetsImportOnlyWhatTheDesignAllows() throws {
    let imports = try Self.imports()
    #expect(imports.count > 20, "the sources were not found below \(Self.root.path())")
    for line in imports where !toolchain.contains(line.module) {
      if foundation.contains(line.module) {
        #expect(mayUseFoundation.contains(line.target), "\(line.file) imports \(line.module)")
      } else {
        #expect(allowed[line.target]?.contains(line.module) == true, "\(line.file) imports \(line.module)")
      }
    }
  }

  @Test func everyFolderOfSourcesIsPartOfTheDesign() throws {
    for folder in try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path()) {
      #expect(allowed[folder] != nil || systemLibraries.contains(folder), "Sources/\(folder) is no part of the design")
    }
  }

  @Test(arguments: systemLibraries) func systemLibrariesHaveOneOwner(library: String) {
    #expect(allowed.values.filter { $0.contains(library) }.count == 1)
  }

  @Test func systemLibrariesHoldNoCode() throws {
    for file in try Self.files() {
      let isCode = [".c", ".cc", ".cpp", ".m"].contains { file.hasSuffix($0) }
      #expect(!isCode, "Sources/\(file): system libraries are a module map and a header of static inlines")
    }
  }

  /// The manifest must not open what the table closes.
  @Test(arguments: allowed.keys.filter { $0 != "pinwarden" })
  func theManifestAllowsNoMoreThanTheDesign(target: String) throws {
    let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let modules = try #require(Self.dependencies(of: target, in: manifest), "no module(\"\(target)\", imports: …)")
    #expect(allowed[target]?.isSuperset(of: modules) == true, "\(target) depends on \(modules)")
  }

  /// The names in `module("X", imports: [ … ])`.
  private static func dependencies(of target: String, in manifest: String) -> [String]? {
    let compact = manifest.filter { !$0.isWhitespace }
    guard let start = compact.range(of: "module(\"\(target)\",imports:["),
      let end = compact.range(of: "]", range: start.upperBound..<compact.endIndex)
    else { return nil }
    return compact[start.upperBound..<end.lowerBound].split(separator: ",").map { $0.filter { $0 != "\"" } }
  }
}
