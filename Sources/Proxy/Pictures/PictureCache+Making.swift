import Configuration
import Dispatch
import EventLoop
import Pictures
import Records

extension PictureCache {
  /// The cache of a daemon, in its state directory.
  static func make(_ configuration: Configuration, log: Log) -> PictureCache {
    let queue = WorkQueue(label: "pinwarden.pictures", width: 1, qos: .utility)
    return PictureCache(
      folder: "\(configuration.stateDirectory)/pictures", limits: PictureLimits(configuration.pictures),
      work: { queue.submit($0) },
      report: { detail in
        log.write(
          LogEvent(
            .warning, "pictures-disk-failed",
            [("detail", .text("\(detail); pictures are kept in memory only until the daemon is started again"))]))
      })
  }
}

extension PictureLimits {
  init(_ settings: PictureSettings) {
    let seconds = settings.maximumAge.components.seconds
    let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
    self.init(
      memoryByteCount: settings.memoryByteCount, diskByteCount: settings.diskByteCount,
      freshness: settings.freshness == .rfc9111 ? .rfc9111 : .access(maximumAge: isTooLarge ? .max : milliseconds))
  }
}
