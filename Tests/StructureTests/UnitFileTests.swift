import Foundation
import Testing

/// The unit files in `systemd/` keep what they promise about confinement.
@Suite("systemd units") struct UnitFileTests {
  /// The directives of a unit file that are in force, as `Section.Key`, each with its values in order.
  private struct Unit {
    private(set) var values: [String: [String]] = [:]

    init(_ name: String) throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../systemd")
      let text = try String(contentsOf: folder.appending(component: name), encoding: .utf8)
      var section = ""
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        if line.hasPrefix("[") {
          section = String(line.dropFirst().dropLast())
          continue
        }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2, "\(name): \(line)")
        values["\(section).\(parts[0])", default: []].append(String(parts[1]))
      }
    }

    subscript(key: String) -> [String] { values[key] ?? [] }
  }

  @Test(
    "the service is confined",
    arguments: [
      ("Type", "notify"), ("NotifyAccess", "main"), ("DynamicUser", "yes"), ("StateDirectory", "pinwarden"),
      ("StateDirectoryMode", "0700"), ("UMask", "0077"), ("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"),
      ("ProtectHome", "yes"), ("PrivateTmp", "yes"), ("PrivateDevices", "yes"), ("PrivateUsers", "yes"),
      ("ProtectClock", "yes"), ("ProtectHostname", "yes"), ("ProtectKernelLogs", "yes"),
      ("ProtectKernelModules", "yes"), ("ProtectKernelTunables", "yes"), ("ProtectControlGroups", "yes"),
      ("RestrictNamespaces", "yes"), ("RestrictRealtime", "yes"), ("RestrictSUIDSGID", "yes"),
      ("LockPersonality", "yes"), ("MemoryDenyWriteExecute", "yes"), ("SystemCallArchitectures", "native"),
      ("AmbientCapabilities", ""), ("CapabilityBoundingSet", ""),
      ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX AF_NETLINK"),
    ])
  func confinement(key: String, value: String) throws {
    #expect(try Unit("pinwarden.service")["Service.\(key)"] == [value])
  }

  @Test("it starts, reloads and stops as the daemon does")
  func life() throws {
    let unit = try Unit("pinwarden.service")
    #expect(unit["Service.ExecStart"] == ["/usr/bin/pinwarden run --config /etc/pinwarden/pinwarden.json5"])
    #expect(unit["Service.ExecReload"] == ["/bin/kill -HUP $MAINPID"])
    #expect(unit["Service.SystemCallFilter"].first == "@system-service")
    #expect(unit["Service.WatchdogSec"].isEmpty, "the daemon sends no keep-alives")
    let limit = try #require(unit["Service.LimitNOFILE"].first.flatMap { Int($0) })
    #expect(limit >= 2 * 10_000, "two descriptors for each of limits.connections")
  }

  @Test("the socket hands its descriptor to the service by name")
  func socket() throws {
    let unit = try Unit("pinwarden.socket")
    #expect(unit["Socket.Service"] == ["pinwarden.service"])
    #expect(unit["Socket.FileDescriptorName"] == ["proxy"])
    #expect(unit["Socket.ListenStream"] == ["127.0.0.1:8080"])
    #expect(unit["Socket.Accept"].isEmpty, "one daemon for all connections")
  }

  @Test("no key is read but through a credential")
  func credentials() throws {
    let unit = try Unit("pinwarden.service")
    #expect(unit["Service.User"].isEmpty && unit["Service.ReadWritePaths"].isEmpty)
    #expect(unit["Service.LoadCredential"].isEmpty, "a unit that names files that are not there would not start")
  }
}
