import HTTP
import Records
import TLS

extension Command {
  static let version = Command(
    "version", "the versions of pinwarden and of the libraries that it runs with", options: [.format]
  ) { arguments throws(CommandFault) in
    let versions = Versions()
    if arguments.wantsJSON {
      try Output.writeJSON { json in
        json.beginObject()
        json.string("pinwarden", versions.program)
        json.string("openssl", versions.openSSL)
        json.string("nghttp2", versions.nghttp2)
        json.string("swift", versions.swift)
        json.endObject()
      }
    } else {
      try Output.write(
        """
        pinwarden \(versions.program)
        OpenSSL \(versions.openSSL)
        nghttp2 \(versions.nghttp2)
        Swift \(versions.swift)

        """)
    }
    return .success
  }
}

/// What this program is made of: for bug reports.
struct Versions {
  let program = "0.1.0"
  let openSSL = LibraryVersions.openSSL
  let nghttp2 = HTTPLibrary.nghttp2Version

  /// Of the compiler; there is no way to ask it but to compare.
  var swift: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
