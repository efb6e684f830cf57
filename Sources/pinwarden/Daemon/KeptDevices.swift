import Authority
import Console
import Records
import Synchronization

/// The file in which what is known of devices outlives the daemon: `devices.json`, 0600 in the state directory.
enum KeptDevices {
  static let fileName = "devices.json"

  /// The registry with what an earlier run knew. A file that cannot be read or written costs memories, not service: it is a warning.
  static func registry(in folder: StateFolder, log: Log) -> DeviceRegistry {
    let path = folder.path(fileName)
    var kept: [UInt8] = []
    do throws(AuthorityFault) {
      kept = try folder.read(path)?.bytes ?? []
    } catch {
      log.write(warning(path, error))
    }
    let hasWarned = Mutex(false)
    let save: @Sendable ([UInt8]) -> Void = { document in
      do throws(AuthorityFault) {
        try folder.makeDirectory()
        try folder.replace(path, with: document, mode: 0o600)
      } catch {
        let isFirst = hasWarned.withLock { flag in
          defer { flag = true }
          return !flag
        }
        if isFirst { log.write(warning(path, error)) }
      }
    }
    return DeviceRegistry(kept: kept, save: save)
  }

  private static func warning(_ path: String, _ fault: AuthorityFault) -> LogEvent {
    LogEvent(.warning, "devices-not-kept", [("file", .text(path)), ("detail", .text("\(fault)"))])
  }
}
