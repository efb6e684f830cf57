import Bytes
import Configuration
import HTTP
import Names
import Records

/// Requests to the site for devices, which answers from memory.
extension Exchange {
  func answerFromSite() {
    let answer = worker.shared.site.answer(siteRequest)
    var fields = HeaderList()
    for field in answer.allFields { fields.append(name: field.name, value: field.value) }
    let body = ByteQueue()
    body.append(answer.body)
    status = answer.status
    hasAnswered = true
    response.byteCount = body.count
    response.framing = "length"
    writeOwn(
      OwnAnswer(head: ResponseHead(status: answer.status, fields: fields), body: body),
      closes: !stream.hasReadRequest)
    finish()
    stream.exchangeEnded(keepsOpen: stream.hasReadRequest)
  }

  private var siteRequest: InternalRequest {
    var request = InternalRequest(path: String(decoding: path, as: UTF8.self), proxy: connection.ownURL)
    request.method = head.method.description
    request.way = scheme.isSecure ? .securedProxy : .proxy
    request.client = connection.deviceText
    request.lane = connection.lane.name
    request.userAgent = head.fields.first(.userAgent) ?? ""
    request.languages = head.fields.first(named: "Accept-Language") ?? ""
    request.clock = head.fields.first(named: InternalRequest.clockField) ?? ""
    return request
  }
}

extension ClientConnection {
  /// The address by which the site for devices knows this client; empty on a socket of the file system.
  var deviceText: String { clientAddress.map { "\($0)" } ?? "" }
}
