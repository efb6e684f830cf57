import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import TLS

/// What an attempt asks, and what its failures mean.
extension Attempt {
  func ask(_ line: Line) {
    let path: String
    switch errand.request {
    case .always(let given), .ifAskedForCertificate(let given): path = given
    case .none: return end(nil)
    }
    var decoder = HTTP1ResponseDecoder()
    decoder.expect(.get)
    stage = .response(decoder)
    deadline?.start(after: errand.timeout)
    line.write(errand.requestHead(path))
  }

  func readResponse(_ line: Line, _ decoder: HTTP1ResponseDecoder) {
    var decoder = decoder
    do throws(HTTPFault) {
      while true {
        switch try decoder.next(line.received) {
        case .needMore:
          stage = .response(decoder)
          if line.hasEnded { _ = try decoder.inputEnded(line.received) }
          return
        case .informational: continue
        case .head(let head, _):
          sighting.response = Sighting.Response(status: head.status, location: head.fields.first(.location))
          return end(nil)
        default: return end(nil)
        }
      }
    } catch {
      sighting.responseFault = error.reason
      end(nil)
    }
  }

  // MARK: failures

  func readHello(_ line: Line) {
    let bytes = Array(line.received.bytes.prefix(512))
    sighting.legacy = LegacyHello.read(bytes)
    // An alert is shorter than any ServerHello.
    if sighting.legacy != nil || bytes.count >= 300 || bytes.first == 21 || line.hasEnded { end(nil) }
  }

  func handshakeFailure(_ fault: LineFault) -> Sighting.Failure {
    switch fault {
    case .system(let error): return .handshake(.other("the connection broke (\(error))"))
    case .tls(.refusedByJudge): return .unwelcome
    case .tls(.notTLS): return .noTLS
    case .tls(.truncated):
      return .handshake(.other("the origin closed the connection in the middle of the handshake"))
    case .tls(let failure):
      let refusal = ClientCertificateRefusal.refusal(
        for: failure, answer: session?.clientCertificate, host: errand.target.host)
      return refusal.map { .refused($0) } ?? .handshake(HandshakeFault(failure))
    }
  }

  func responseFailure(_ fault: LineFault) -> Sighting.Failure? {
    if case .tls(let failure) = fault,
      let refusal = ClientCertificateRefusal.refusal(
        for: failure, answer: session?.clientCertificate, host: errand.target.host)
    {
      return .refused(refusal)
    }
    switch fault {
    case .tls(let failure): sighting.responseFault = "\(failure)"
    case .system(let error): sighting.responseFault = "\(error)"
    }
    return nil
  }
}
