import Bytes
import Names
import TLS

/// A device as the demo plays it: one request at a time, through the proxy, on the calling thread.
struct DemoClient {
  /// `ip:port` of the proxy.
  let proxy: String
  /// What the device trusts: the proxy's CA, and the root of the origins for what passes unseen.
  let anchors: TrustStore

  /// Sends a GET request and reads the answer to its end.
  func get(_ url: TargetURL) throws(DemoFault) -> DemoAnswer {
    let stream = try BlockingStream(proxy)
    defer { stream.close() }
    guard url.scheme.isSecure else {
      try stream.send(Self.request(url, target: "\(url)"))
      return try DemoAnswer(try stream.receiveAll(), issuer: nil)
    }
    let place = HostPort(host: url.host, port: url.port)
    try stream.send(Array("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n".utf8))
    let head = try stream.receiveHead()
    let answer = try DemoAnswer(head, issuer: nil)
    guard answer.status == 200 else { return answer }
    return try getSecurely(url, over: stream)
  }

  private func getSecurely(_ url: TargetURL, over stream: BlockingStream) throws(DemoFault) -> DemoAnswer {
    let judge = DemoJudge(host: url.host, anchors: anchors)
    let (received, outbound, plaintext) = (ByteQueue(), ByteQueue(), ByteQueue())
    do {
      let session = try Self.context().makeSession(
        serverName: url.host, alpn: ["http/1.1"], judge: judge, identities: [], ticket: nil, outbound: outbound)
      while true {
        let (progress, used) = try session.advance(received.bytes)
        received.consume(used)
        try stream.send(from: outbound)
        if progress == .done { break }
        guard try stream.receive(into: received) else { throw DemoFault(text: "the proxy closed during the handshake") }
      }
      _ = try Self.request(url, target: url.pathAndQuery).withUnsafeBytes { try session.seal($0) }
      try stream.send(from: outbound)
      while true {
        let (used, ended) = try session.open(received.bytes, into: plaintext, limit: 1 << 20)
        received.consume(used)
        if ended { break }
        guard try stream.receive(into: received) else { throw DemoFault(text: "the answer was cut") }
      }
      session.close()
      try stream.send(from: outbound)
    } catch let fault as DemoFault {
      throw fault
    } catch {
      throw DemoFault(text: "TLS with the proxy failed: \(error)")
    }
    return try DemoAnswer(Array(plaintext.bytes), issuer: judge.issuer)
  }

  private static func context() throws(TLSFailure) -> TLSClientContext {
    try TLSClientContext(
      TLSClientParameters(
        minimumVersion: .v12, maximumVersion: .v13, cipherSuites: ["ECDHE-ECDSA-AES128-GCM-SHA256"],
        allowsLateAuthentication: false))
  }

  private static func request(_ url: TargetURL, target: String) -> [UInt8] {
    Array("GET \(target) HTTP/1.1\r\nHost: \(url.host.bracketed)\r\nAccept: */*\r\nConnection: close\r\n\r\n".utf8)
  }
}
