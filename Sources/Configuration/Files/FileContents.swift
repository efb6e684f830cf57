import Glibc

/// Why a file could not be read.
struct FileFault: Error, Equatable, CustomStringConvertible {
  /// `errno` where the system said no.
  let code: Int32?
  let description: String

  init(code: Int32) {
    self.code = code
    // glibc's strerror keeps its text for each thread.
    description = strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  init(_ description: String) {
    code = nil
    self.description = description
  }
}

/// Reads whole files with a bound.
enum FileContents {
  /// Enough for every bundle of certificates and every property list.
  static let defaultLimit = 16 << 20

  static func read(_ path: String, limit: Int = defaultLimit) throws(FileFault) -> [UInt8] {
    guard !path.isEmpty else { throw FileFault("the path is empty") }
    guard !path.utf8.contains(0) else { throw FileFault("a path cannot hold a NUL") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw FileFault(code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw FileFault(code: errno)
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw FileFault("the file is larger than \(limit >> 10) KiB") }
    }
  }

  static func isFolder(_ path: String) -> Bool {
    mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether users outside the owner and the group may read it.
  static func isReadableByAll(_ path: String) -> Bool {
    mode(of: path).map { $0 & S_IROTH != 0 } ?? false
  }

  /// The names in a folder in the order of their bytes.
  static func names(in folder: String) throws(FileFault) -> [String] {
    guard !folder.utf8.contains(0) else { throw FileFault("a path cannot hold a NUL") }
    guard let directory = opendir(folder) else { throw FileFault(code: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      guard names.count <= 10_000 else { throw FileFault("the folder holds more than 10000 files") }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }
}
