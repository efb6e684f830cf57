/// Phrases that refusals are put together from.
extension OriginRequirements {
  var rule: String { rulePattern.map { " (rule \($0))" } ?? "" }

  /// `the certificate of a.test:443 ("CN=a.test")`, or the one above it.
  func certificate(at depth: Int, in evaluation: ChainEvaluation) -> String {
    let subject = evaluation.chain.indices.contains(depth) ? evaluation.chain[depth].subject : ""
    let quoted = subject.isEmpty ? "" : " (\"\(Self.excerpt(subject))\")"
    return depth == 0
      ? "the certificate of \(place)\(quoted)" : "certificate \(depth) in the chain of \(place)\(quoted)"
  }

  func hash(at depth: Int, in evaluation: ChainEvaluation) -> String {
    guard evaluation.chain.indices.contains(depth) else { return "an unknown hash" }
    switch evaluation.chain[depth].signatureHash {
    case .md5: return "MD5"
    case .sha1: return "SHA-1"
    case .sha224: return "SHA-224"
    case .sha256: return "SHA-256"
    case .sha384: return "SHA-384"
    case .sha512: return "SHA-512"
    case .intrinsic: return "a hash of its own"
    case .unknown: return "an unknown hash"
    }
  }

  func day(
    at depth: Int, in evaluation: ChainEvaluation, _ moment: (CertificateFacts) -> Int64
  ) -> String {
    guard evaluation.chain.indices.contains(depth) else { return "an unknown day" }
    return CalendarDay(secondsSince1970: moment(evaluation.chain[depth])).description
  }

  /// The first keys of a chain; it may be longer than anyone wants to read.
  func seen(_ chain: [CertificateFacts]) -> String {
    let limit = 4
    let pins = chain.prefix(limit).map { Pin.text(of: $0.spkiDigest) }.joined(separator: ", ")
    return "Seen: \(pins)\(chain.count > limit ? " and more" : "")."
  }

  /// Names in certificates come from outside: bounded and without control characters.
  static func excerpt(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(100) {
      quoted.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "?" : scalar)
    }
    return String(quoted)
  }

  /// Like `excerpt`, for texts that hold ASCII only.
  static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(excerpt(text).unicodeScalars.map { $0.isASCII ? $0 : "?" }))
  }
}

extension String {
  /// With a capital at its beginning: sentences here may begin with a phrase that elsewhere stands inside one.
  var capitalisedSentence: String { prefix(1).uppercased() + dropFirst() }
}
