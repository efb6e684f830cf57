import EventLoop
import TLS

/// Why a line cannot go on.
enum LineFault: Error {
  case tls(TLSFailure)
  case system(SystemError)
}
