extension Field {
  func upstream() -> UpstreamSettings? {
    section { section in
      var settings = UpstreamSettings()
      section.read("resolve", into: &settings.resolve) { $0.redirections() }
      section.read("anchors", into: &settings.anchors) { $0.certificates() }
      section.read("proxy", into: &settings.proxy) { $0.upstreamProxy() }
      section.read("noProxy", into: &settings.noProxy) { $0.proxyExemptions() }
      section.read("via", into: &settings.via) { $0.boolean() }
      section.read("http2", into: &settings.http2) { $0.boolean() }
      section.read("connectTimeout", into: &settings.connectTimeout) { $0.duration() }
      section.read("idleTimeout", into: &settings.idleTimeout) { $0.duration() }
      return settings
    }
  }
}
