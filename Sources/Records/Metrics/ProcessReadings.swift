import Glibc

/// What the kernel tells of this process, and which program it is.
struct ProcessReadings: Sendable {
  private let version: String
  /// Seconds since 1970.
  private let started = Double(Log.now) / 1e3

  init(version: String) {
    self.version = version
  }

  /// Readings that cannot be taken are left out.
  var families: [MetricFamily] {
    var all = [
      MetricFamily(
        "build_info", .gauge, "Always 1; the label says which version of the program runs.",
        samples: [.init(labels: ["version": version], value: 1)]),
      MetricFamily("start_time_seconds", .gauge, "When the program began, in seconds since 1970.", value: started),
    ]
    if let resident = Self.residentByteCount {
      all.append(
        MetricFamily("resident_memory_bytes", .gauge, "Memory of the process that is in RAM.", value: Double(resident)))
    }
    if let count = Self.openDescriptorCount {
      all.append(
        MetricFamily("open_descriptors", .gauge, "File descriptors that the process has open.", value: Double(count)))
    }
    return all
  }

  /// The second number of /proc/self/statm, in pages (proc(5)).
  static var residentByteCount: Int? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let numbers = text.split(separator: " ")
    guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  static var openDescriptorCount: Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Less ".", ".." and the folder's own.
    return max(0, count - 3)
  }
}
