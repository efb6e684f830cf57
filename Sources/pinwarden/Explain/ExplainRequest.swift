import Foundation

/// What `explain` is asked about one request.
struct ExplainRequest: Decodable, Sendable {
  var url: String
  var context: String?
  var method: String?
  var lane: String?

  init(url: String, context: String? = nil, method: String? = nil, lane: String? = nil) {
    self.url = url
    self.context = context
    self.method = method
    self.lane = lane
  }

  /// Reads one line of JSON.
  static func read(_ line: [UInt8]) -> Result<ExplainRequest, ExplainFault> {
    do {
      return .success(try JSONDecoder().decode(ExplainRequest.self, from: Data(line)))
    } catch {
      return .failure(
        ExplainFault(
          url: nil, message: #"the line is no JSON object {"url": …, "context": …, "method": …, "lane": …} with a URL"#)
      )
    }
  }
}
