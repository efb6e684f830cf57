/// The errors of `NSURLErrorDomain` that a refusal stands for, with Apple's codes (contract, section 4).
public enum NSURLError: Int, Sendable, Hashable, CaseIterable {
  case unknown = -1
  case timedOut = -1001
  case cannotFindHost = -1003
  case cannotConnectToHost = -1004
  case networkConnectionLost = -1005
  case tooManyRedirects = -1007
  case appTransportSecurityRequiresSecureConnection = -1022
  case secureConnectionFailed = -1200
  case serverCertificateHasBadDate = -1201
  case serverCertificateUntrusted = -1202
  case serverCertificateHasUnknownRoot = -1203
  case serverCertificateNotYetValid = -1204
  case clientCertificateRejected = -1205
  case clientCertificateRequired = -1206

  public static let domain = "NSURLErrorDomain"

  public var code: Int { rawValue }

  /// The name without the prefix `NSURLError`, as records show it.
  public var name: String {
    switch self {
    case .unknown: "Unknown"
    case .timedOut: "TimedOut"
    case .cannotFindHost: "CannotFindHost"
    case .cannotConnectToHost: "CannotConnectToHost"
    case .networkConnectionLost: "NetworkConnectionLost"
    case .tooManyRedirects: "TooManyRedirects"
    case .appTransportSecurityRequiresSecureConnection: "AppTransportSecurityRequiresSecureConnection"
    case .secureConnectionFailed: "SecureConnectionFailed"
    case .serverCertificateHasBadDate: "ServerCertificateHasBadDate"
    case .serverCertificateUntrusted: "ServerCertificateUntrusted"
    case .serverCertificateHasUnknownRoot: "ServerCertificateHasUnknownRoot"
    case .serverCertificateNotYetValid: "ServerCertificateNotYetValid"
    case .clientCertificateRejected: "ClientCertificateRejected"
    case .clientCertificateRequired: "ClientCertificateRequired"
    }
  }
}
