import Diagnosis
import Names
import Records
import TLS

/// A rehearsal as people read it.
struct RehearsalReport {
  let rehearsal: Rehearsal
  let style: TextStyle

  var text: String {
    var text = ""
    for replacement in rehearsal.replacements { text += head(replacement) }
    for host in rehearsal.hosts { text += "\n" + lines(of: host) }
    let refused = rehearsal.hosts.count { !$0.isAccepted }
    let conclusion =
      refused == 0
      ? "Every host accepts the new certificates as soon as they are valid."
      : "\(refused) of \(rehearsal.hosts.count) hosts would refuse the new certificates."
    return text + "\n" + style.wrapped(conclusion, paint: refused == 0 ? .good : .bad)
  }

  private func head(_ replacement: CertificateReplacement) -> String {
    var table = TextTable()
    for (word, name, leaf) in [
      ("old", replacement.oldName, replacement.old.first), ("new", replacement.newName, replacement.new.first),
    ] {
      guard let leaf else { continue }
      let days = "\(CertificateReport.moment(leaf.notBefore)) to \(CertificateReport.moment(leaf.notAfter))"
      table.add(word, PlainText.oneLine(name), PlainText.oneLine("\(leaf.subject), \(days)"))
    }
    let note = "The new leaf came alone: it is taken to be sent with the issuers of the old one."
    return table.text(style: style) + (replacement.borrowsIssuers ? style.wrapped(note, paint: .dim) : "")
  }

  private func lines(of host: RehearsedHost) -> String {
    let lanes = host.lanes == ["default"] ? "" : " (lanes \(host.lanes.map(PlainText.oneLine).joined(separator: ", ")))"
    let verdict = host.isAccepted ? "accepts" : "REFUSES"
    var text = style.wrapped(
      "\(host.host)\(lanes): \(verdict) \(PlainText.oneLine(host.newName))", indent: "  ",
      paint: host.isAccepted ? .good : .bad)
    var table = TextTable()
    table.add("old accepted", words(host.old))
    table.add("new accepted", words(host.new))
    table.add(
      "time to change",
      host.both.isEmpty ? "at no time are both accepted" : "\(words(host.both)), when both are accepted")
    text += table.text(margin: "  ", style: style)
    for place in host.places { text += lines(of: place) }
    guard let reason = host.reason, host.places.allSatisfy(\.isAccepted) else { return text }
    return text + style.wrapped("NO  together: \(PlainText.oneLine(reason))", lead: "  ", indent: "      ", paint: .bad)
  }

  private func lines(of place: RehearsedPlace) -> String {
    var text = style.wrapped(
      "\(place.isAccepted ? "ok" : "NO")  \(PlainText.oneLine(place.place.name)): \(reason(place))", lead: "  ",
      indent: "      ", paint: place.isAccepted ? .plain : .bad)
    for line in place.change {
      text +=
        line.hasSuffix(":")
        ? style.wrapped("Add, \(PlainText.oneLine(line))", lead: "      ", indent: "      ")
        : "        \(PlainText.oneLine(line))\n"
    }
    return text
  }

  private func reason(_ place: RehearsedPlace) -> String {
    if let reason = place.reason { return PlainText.oneLine(reason) }
    guard place.isAccepted else { return "it would be refused" }
    guard let pin = place.matchedPin else { return words(place.windows) }
    return
      "\(place.isBackup ? "by the backup pin" : "by a pin that the old chain has too,") \(pin), \(words(place.windows))"
  }

  private func words(_ windows: [TimeWindow]) -> String {
    guard !windows.isEmpty else { return "never" }
    return windows.map { window in
      let from = window.from <= rehearsal.now ? "now" : CertificateReport.moment(window.from)
      guard let until = window.until else { return from == "now" ? "from now on" : "from \(from) on" }
      return "\(from) to \(CertificateReport.moment(until - 1))"
    }.joined(separator: ", ")
  }
}
