import BodyHook
import Bytes
import HTTP
import Names
import Records

/// What the proxy answers itself where bodies are restored: the script's own messages, and preflights that are there for its sake.
extension Exchange {
  /// - Returns: false: the request is the origin's.
  func answersForHook() -> Bool {
    guard connection.generation.hookedHosts != nil else { return false }
    if isHooked, path.starts(with: HookNames.pathPrefix.utf8) {
      answerScript()
      return true
    }
    guard let channel = restoring.channel, channel.isOnlyReason(for: head) else { return false }
    answer(200, CrossOriginAnswer.preflight(for: head, allowing: channel.askedFields))
    return true
  }

  private func answerScript() {
    guard head.method != .options else {
      return answer(200, CrossOriginAnswer.preflight(for: head, allowing: HookNames.fields))
    }
    guard head.method == .post, path.elementsEqual(HookNames.uploadPath.utf8) else {
      return answer(404, CrossOriginAnswer.fields(for: head))
    }
    do throws(EnvelopeFault) {
      try takeUpload()
      answer(200, CrossOriginAnswer.fields(for: head))
    } catch {
      answer(error.status, CrossOriginAnswer.fields(for: head), error.reason)
    }
  }

  private func answer(_ status: Int, _ fields: HeaderList, _ text: String = "") {
    var fields = fields
    fields.append(.contentType, "text/plain")
    let body = ByteQueue()
    body.append(text)
    self.status = status
    hasAnswered = true
    response.byteCount = body.count
    response.framing = "length"
    writeOwn(
      OwnAnswer(head: ResponseHead(status: status, fields: fields), body: body), closes: !stream.hasReadRequest)
    finish()
    stream.exchangeEnded(keepsOpen: stream.hasReadRequest)
  }
}
