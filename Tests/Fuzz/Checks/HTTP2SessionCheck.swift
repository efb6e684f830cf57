import Bytes
import HTTP

/// Both ends of HTTP/2 connections: whatever the peer says, memory stays bounded, events come in order, and what is handed on is the
/// same one message over HTTP/1.1.
enum HTTP2SessionCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    let talk = HTTP2Talk(bytes)
    let listener: HTTP2Listener
    do throws(HTTP2Fault) { listener = try HTTP2Listener(talk) } catch { return }
    var rest = talk.bytes[...]
    while !rest.isEmpty, listener.complaint == nil { listener.hear(&rest) }
    listener.finish()
    listener.claimOrder(talk)
    listener.close()
    if let complaint = listener.complaint { throw complaint }
  }
}

extension HTTP2Listener {
  /// What was said is frames, no more of them than there was reason for, and the right last word.
  fileprivate func claimOrder(_ talk: HTTP2Talk) {
    let heard = HTTP2Talk.frames(of: talk.bytes)
    let said = HTTP2Talk.frames(of: spoken)
    object("\(said.rest) bytes that are no frame were sent", unless: said.rest == 0 || isGone)
    object("a frame of \(said.longest) bytes was sent", unless: said.longest <= 16 << 10)
    let frameCount = heard.counts.values.reduce(0, +)
    object("\(said[3, 4, 6, 7, 8]) frames answer \(frameCount)", unless: said[3, 4, 6, 7, 8] <= 3 * frameCount + 1_000)
    if let fault {
      object("no GOAWAY for \(fault)", unless: said.goaway ?? 0 != 0 || isGone)
    } else if !hasLeft, !session.isClosed {
      claimCalm(heard, said)
    }
  }

  /// A connection that goes on is none on which the peer went beyond what is allowed it. (DATA without bytes is not counted here: on
  /// streams that are over it is skipped at no cost.)
  private func claimCalm(_ heard: HTTP2Talk.Sent, _ said: HTTP2Talk.Sent) {
    let settings = session.settings
    let asking = heard.asking
    if session.role == .server { object("\(heard[3]) resets", unless: heard[3] <= settings.resetCount) }
    object("\(asking[4] ?? 0) SETTINGS frames", unless: asking[4] ?? 0 <= settings.settingsCount)
    object("\(heard[9]) CONTINUATION frames in a row", unless: heard[9] <= settings.continuationCount)
    let messageCount = heard[0, 1] + said[0, 1]
    object("\(asking[6] ?? 0) PING frames", unless: asking[6] ?? 0 <= settings.pingCount + messageCount)
    let idleCount = heard[2, 7, 8]
    object("\(idleCount) frames without effect", unless: idleCount <= settings.emptyFrameCount + 2 * said[0, 1])
  }
}
