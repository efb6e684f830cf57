import Configuration
import Policy
import Records
import TLS

extension ExchangeRecord.Origin {
  /// With what its session tells of client certificates.
  func telling(of session: TLSSession?) -> Self {
    guard let answer = session?.clientCertificate else { return self }
    var told = self
    told.identity = answer.sent?.name
    told.clientCertificate = ClientCertificateFacts(answer)
    return told
  }
}
