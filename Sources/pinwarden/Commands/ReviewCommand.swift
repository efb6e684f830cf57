import Configuration
import Database
import Diagnosis
import Names
import Policy
import Records

extension Command {
  static let review = Command(
    "review", "an App Review report on the exceptions of an Info.plist", operands: "INFO.PLIST", operandCount: 1...1,
    options: [.store, .reviewOS, .own, .withRefused, .reviewFormat],
    details: """
      Which keys of NSAppTransportSecurity App Review asks about, and a draft of what to write for each. With --store it holds the file \
      against recorded traffic: exceptions that no request used, hosts that pass only because of an exception, third parties in plain \
      HTTP, and the smallest dictionary that lets pass what was recorded, with pins for the app's own hosts.

      Requests that were refused when they were recorded stay refused by the smallest dictionary, unless the file permits them or \
      --with-refused is given. Tunnels that passed unseen are not in a history, and so not in the report.

      A host is the app's own when it shares the registrable domain of an --own HOST; without the option, that of a domain in \
      NSExceptionDomains or NSPinnedDomains, or of the bundle identifier. All others are third parties.

      Given a network_security_config.xml of Android, it tells the same of plain HTTP and pins there.

      --format plist prints the smallest dictionary ready to paste into an Info.plist, xml prints a network_security_config.xml for \
      Android; warnings go to standard error. Exit code 0, or 1 when App Review asks for a justification.
      """
  ) { arguments throws(CommandFault) in
    let file = arguments.operands[0]
    let format = arguments.value(.reviewFormat) ?? "text"
    let bytes = try InputFile.read(file)
    if AndroidFile.isOne(bytes) { return try reviewAndroid(file, arguments, format: format) }
    let app = try appPropertyList(bytes, file)
    let review = Review(
      policy: ATSPolicy(dictionary: app.transportSecurity, os: try system(arguments), sdk: app.sdk),
      traffic: try traffic(arguments, format: format), own: try own(arguments, app),
      refused: arguments.has(.withRefused) ? .included : .leftOut)
    try write(review, of: app, file: file, format: format)
    return review.needsJustification ? .negative : .success
  }

  /// Android's file has the one format that is for Android.
  private static func reviewAndroid(
    _ file: String, _ arguments: Arguments, format: String
  ) throws(CommandFault) -> ExitCode {
    guard format != "plist" else { throw .usage("--format plist is for Apple, and \(file) is for Android") }
    let android = try AndroidFile(file)
    let review = AndroidReview(
      android.config, traffic: try traffic(arguments, format: format), own: OwnHosts(try ownHosts(arguments)),
      findings: android.findings)
    switch format {
    case "json": try Output.writeJSON { review.write(to: &$0, file: file) }
    case "xml": try Output.write(review.smallest?.text ?? "")
    default:
      try Output.write(AndroidReviewReport(review: review, file: file, style: .standardOutput).text)
    }
    return .success
  }

  private static func appPropertyList(_ bytes: [UInt8], _ file: String) throws(CommandFault) -> AppPropertyList {
    do throws(AppPropertyList.Fault) {
      return try AppPropertyList(bytes)
    } catch {
      throw .failed(.unreadable, "\(file): \(error)")
    }
  }

  private static func system(_ arguments: Arguments) throws(CommandFault) -> OSVersion {
    let text = arguments.value(.reviewOS) ?? "18.4"
    guard let version = OSVersion(text) else { throw .usage("--os is `\(text)`, but must be a version such as 18.4") }
    return version
  }

  private static func traffic(_ arguments: Arguments, format: String) throws(CommandFault) -> RecordedTraffic? {
    guard let store = arguments.value(.store) else {
      guard ["text", "json"].contains(format) else {
        throw .usage("--format \(format) needs --store DIR: the smallest policy comes from recorded traffic")
      }
      return nil
    }
    let reader = try HistorySource.reader(store)
    do {
      return try RecordedTraffic(reader)
    } catch let fault as DatabaseFault {
      throw HistorySource.fault(fault)
    } catch {
      throw .failed(.internalFault, "\(error)")
    }
  }

  private static func own(_ arguments: Arguments, _ app: AppPropertyList) throws(CommandFault) -> OwnHosts {
    let hosts = try ownHosts(arguments)
    return hosts.isEmpty
      ? OwnHosts(dictionary: app.transportSecurity, bundleIdentifier: app.bundleIdentifier) : OwnHosts(hosts)
  }

  private static func ownHosts(_ arguments: Arguments) throws(CommandFault) -> [Host] {
    var hosts: [Host] = []
    for name in arguments.values(.own) {
      guard let host = try? Host(name) else { throw .usage("--own is `\(name)`, but must be a host such as a.test") }
      hosts.append(host)
    }
    return hosts
  }

  private static func write(
    _ review: Review, of app: AppPropertyList, file: String, format: String
  ) throws(CommandFault) {
    switch format {
    case "json": try Output.writeJSON { review.write(to: &$0, file: file) }
    case "plist":
      complain(review)
      try Output.write(PropertyListFragment(ATSKey.transportSecurity, review.smallest ?? .dictionary([:])).text)
    case "xml":
      complain(review)
      try Output.write(NetworkSecurityDocument(review).text)
    default:
      let report = ReviewReport(review: review, file: file, misplacedKey: app.misplacedKey, style: .standardOutput)
      try Output.write(report.text)
    }
  }

  /// What does not fit into a file that is to be pasted.
  private static func complain(_ review: Review) {
    for entry in review.pins {
      for warning in entry.warnings { Output.complain("pinwarden: warning: \(entry.domain): \(warning)\n") }
    }
  }
}

extension Option {
  fileprivate static let reviewOS = Option.value("os", "VERSION", "which OS's rules; 18.4 by default")
  fileprivate static let own = Option.list("own", "HOST", "a host of the app's own; its whole domain counts")
  fileprivate static let withRefused = Option.flag(
    "with-refused", "let the smallest dictionary permit what was refused when it was recorded")
  fileprivate static let reviewFormat = Option.choice(
    "format", ["text", "json", "plist", "xml"],
    "text for people (the default), JSON with stable names, plist for Apple, xml for Android")
}
