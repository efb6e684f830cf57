import Configuration
import Diagnosis
import EventLoop
import Foundation
import Names
import Policy
import Records

extension Command {
  static let diagnose = Command(
    "diagnose", "what `nscurl --ats-diagnostics` does, with reasons", operands: "HOST|URL…", operandCount: 1...Int.max,
    options: [.config, .diagnosePolicy, .diagnoseOS, .diagnoseVerbose, .diagnoseFormat],
    details: """
      Tries each origin as a device would under the 16 dictionaries of nscurl, and says PASS or FAIL and why; then the smallest \
      exception that passes, what the origin says over plain HTTP, where it redirects to, what is wrong with its certificates, and their \
      pins. Dictionaries differ only in what is offered, so there are one to a few handshakes with each origin.

      The configuration counts for the way there (upstream), for what is trusted (anchors, trust policies) and for client certificates. \
      Nothing is sent to an origin that is not trusted.

      --os may be given several times, or with commas between the versions: then there is a diagnosis for each. With --format json there \
      is an object a line for each host and OS.

      Exit code 0: each passes without an exception; 1: some need one; 2: some pass under no dictionary; 69: some cannot be reached.
      """
  ) { arguments throws(CommandFault) in
    let targets = try arguments.operands.map(target)
    let systems = try systems(arguments)
    let configurations = try configurations(arguments, systems)
    let policies = try policies(arguments, configurations)
    let diagnoses = try await diagnose(targets, configurations, policies)
    try write(diagnoses, arguments)
    return exitCode(diagnoses.joined())
  }

  private static func target(_ text: String) throws(CommandFault) -> DiagnosisTarget {
    do throws(NameFault) {
      return try DiagnosisTarget(text)
    } catch {
      throw .usage("`\(text)` is no host and no URL: \(error)")
    }
  }

  /// Empty: that of the configuration.
  private static func systems(_ arguments: Arguments) throws(CommandFault) -> [String] {
    let list = arguments.values(.diagnoseOS)
    guard !list.isEmpty else { return [] }
    do throws(UsageFault) {
      return try ExplainScope(os: list.joined(separator: ","), context: nil).systems
    } catch {
      throw .usage(error)
    }
  }

  private static func configurations(
    _ arguments: Arguments, _ systems: [String]
  ) throws(CommandFault) -> [Configuration] {
    guard !systems.isEmpty else { return [try LoadedConfiguration.load(arguments)] }
    var configurations: [Configuration] = []
    for os in systems {
      configurations.append(try LoadedConfiguration.load(arguments, overrides: CommandLineOverrides(os: os)))
    }
    return configurations
  }

  private static func policies(
    _ arguments: Arguments, _ configurations: [Configuration]
  ) throws(CommandFault) -> [AppPolicy] {
    guard let file = arguments.value(.diagnosePolicy) else { return [] }
    var policies: [AppPolicy] = []
    for (index, configuration) in configurations.enumerated() {
      let (policy, findings) = AppPolicy.load(file, os: configuration.defaultLane.policy.ats.os)
      guard let policy else {
        throw .failed(.unreadable, "cannot use \(file): \(FindingsReport(findings).errors)")
      }
      if index == 0 { Output.complain(FindingsReport(findings).text(.standardErrorByLine)) }
      policies.append(policy)
    }
    return policies
  }

  private static func diagnose(
    _ targets: [DiagnosisTarget], _ configurations: [Configuration], _ policies: [AppPolicy]
  ) async throws(CommandFault) -> [[HostDiagnosis]] {
    let diagnoser: Diagnoser
    do throws(SystemError) {
      diagnoser = try Diagnoser(configurations, policies: policies)
    } catch {
      throw .failed(.internalFault, "the diagnosis cannot start: \(error)")
    }
    let meter = DiagnosisMeter(count: targets.count)
    let diagnoses = await diagnoser.diagnose(targets) { meter.note($0) }
    meter.end()
    diagnoser.end()
    return diagnoses
  }

  private static func exitCode(_ diagnoses: some Sequence<HostDiagnosis>) -> ExitCode {
    let verdicts = Set(diagnoses.map(\.verdict))
    if verdicts.contains(.unreachable) { return .unavailable }
    if verdicts.contains(.fails) { return .hopeless }
    return verdicts.contains(.needsException) ? .negative : .success
  }

  private static func write(_ diagnoses: [[HostDiagnosis]], _ arguments: Arguments) throws(CommandFault) {
    let all = Array(diagnoses.joined())
    switch arguments.value(.diagnoseFormat) {
    case "json": for diagnosis in all { try Output.writeJSON { DiagnosisJSON.write(diagnosis, to: &$0) } }
    case "junit": try Output.write(DiagnosisJUnit.text(all))
    case "sarif": try Output.writeJSON { DiagnosisSARIF.write(all, version: Versions().program, to: &$0) }
    default:
      try Output.write(text(of: diagnoses, isVerbose: arguments.has(.diagnoseVerbose)))
    }
  }

  private static func text(of diagnoses: [[HostDiagnosis]], isVerbose: Bool) -> String {
    let style: DiagnosisStyle = TextStyle.standardOutput.colours == .ansi ? .coloured : .plain
    let detail: DiagnosisText.Detail = isVerbose ? .verbose : .brief
    var parts = diagnoses.flatMap { host in
      host.count == 1 || isVerbose
        ? host.map { DiagnosisText($0, detail: detail, style: style).text }
        : [DiagnosisText.matrix(host, style: style)]
    }
    if diagnoses.count > 1 { parts.append(DiagnosisTable.summary(Array(diagnoses.joined()), style: style)) }
    for diagnosis in diagnoses.compactMap(\.first) {
      if let obstacle = diagnosis.obstacle {
        Output.complain("pinwarden: \(diagnosis.target.name): \(obstacle.detail)\n")
      }
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension Option {
  fileprivate static let diagnosePolicy = Option.value(
    "policy", "INFO.PLIST", "also judge by the NSAppTransportSecurity of this file, and say what to change in it")
  fileprivate static let diagnoseOS = Option.list(
    "os", "VERSION", "which OS's rules, in place of ats.os: such as 18.4, or several such as 9,16,18.4")
  fileprivate static let diagnoseVerbose = Option.flag(
    "verbose", "the dictionary and the error of each row, every reason, the handshakes, and pins in every format")
  fileprivate static let diagnoseFormat = Option.choice(
    "format", ["text", "json", "junit", "sarif"],
    "text for people (the default), JSON with stable names, or what CI servers (junit) and code hosts (sarif) read")
}
