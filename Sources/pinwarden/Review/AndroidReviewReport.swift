import Diagnosis
import Names
import Policy

/// A review of Android's file as people read it.
struct AndroidReviewReport {
  let review: AndroidReview
  let file: String
  let style: TextStyle

  var text: String {
    [head, plain, unused, findings, smallest].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var head: String {
    let scope =
      review.smallest == nil
      ? "Without --store DIR there is no recorded traffic to hold it against."
      : "Google Play asks for no justification; what it permits is anybody's to read all the same."
    return style.wrapped("Report on \(PlainText.oneLine(file))", paint: .bold) + style.wrapped(scope)
  }

  private var plain: String {
    guard review.smallest != nil else { return "" }
    guard !review.plain.isEmpty else { return style.wrapped("Nothing was asked in plain HTTP.", paint: .good) }
    var text = style.wrapped("Hosts that were asked in plain HTTP", paint: .bold)
    for host in review.plain {
      let by = host.permittedBy.map { "permitted by \($0)" } ?? "not permitted"
      text += style.wrapped(
        "\(host.host) (\(host.isOwn ? "own" : "third party"), \(host.exchangeCount) recorded): \(by)", lead: "  ",
        indent: "    ", paint: host.permittedBy == nil ? .bad : .caution)
    }
    return text
  }

  private var unused: String {
    guard !review.unused.isEmpty else { return "" }
    var text = style.wrapped("Not used by anything that was recorded", paint: .caution)
    for permission in review.unused {
      text += style.wrapped(
        "\(permission.key) of \(PlainText.oneLine(permission.scope ?? ""))", lead: "  ", indent: "    ")
    }
    return text
  }

  private var findings: String {
    guard !review.findings.isEmpty else { return "" }
    var text = style.wrapped("What the file really says", paint: .bold)
    for finding in review.findings {
      text += style.wrapped(
        PlainText.oneLine("\(finding.level.rawValue): \(finding.message)"), lead: "  ", indent: "    ")
    }
    return text
  }

  private var smallest: String {
    guard let smallest = review.smallest else { return "" }
    return style.wrapped("The smallest file that lets pass what was recorded", paint: .bold) + smallest.text
  }
}
