import Glibc

/// Moments as HTTP writes them (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`; `seconds` since 1970.
  static func text(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil, days.indices.contains(Int(parts.tm_wday)),
      months.indices.contains(Int(parts.tm_mon))
    else { return "" }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    let day = "\(days[Int(parts.tm_wday)]), \(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
    return "\(day) \(1900 + parts.tm_year) \(clock) GMT"
  }

  private static func twoDigits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
}
