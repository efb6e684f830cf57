import Records

/// Leads each admitted request to who answers it. A value; what it needs of the daemon is safe on any thread.
struct Router: Sendable {
  /// How an answer comes.
  enum Outcome: Sendable {
    case now(Answer)
    /// Made by a thread that may block.
    case work(@Sendable () -> Answer)
    /// Found out by a thread that may block.
    case preparation(@Sendable () -> Outcome)
    /// Made while others wait for something else.
    case task(@Sendable () async -> Answer)
  }

  let control: any ProxyControl
  let log: Log
  /// Of the program.
  let version: String
  let page: PageFiles

  func outcome(of request: ConsoleRequest, route: Route, visitor: Gate.Visitor) -> Outcome {
    switch route {
    case .page: page(visitor)
    case .asset(let name): asset(name, request)
    case .login, .logout: .now(Gate.logout(request))
    case .health: .now(.text("ok\n"))
    case .readiness: .now(control.isReady ? .text("ready\n") : .text("not ready\n", status: 503))
    case .metrics: metrics()
    case .exchanges: exchanges(request)
    case .count: count(request)
    case .exchange(let identifier): exchange(identifier)
    case .body(let identifier, let side): body(identifier, side)
    case .replay(let identifier): replay(identifier, request)
    case .events: .now(Answer(status: 200, contentType: "text/event-stream", body: .events))
    case .policy: policy()
    case .whitelist: whitelist(request)
    case .reload: reload(request)
    case .explain: explain(request)
    case .har: har(request)
    case .devices: .work { [control] in .json(control.devices()) }
    case .hosts: hosts()
    case .series: series(request)
    }
  }

  private func metrics() -> Outcome {
    .work { [control] in
      Answer(status: 200, contentType: Metrics.contentType, body: .bytes(control.metrics()))
    }
  }

  private func policy() -> Outcome {
    .work { [control] in .json(control.policy()) }
  }

  private func reload(_ request: ConsoleRequest) -> Outcome {
    .task { [control] in
      do throws(ControlFault) {
        try await control.reload()
        return .json(Array("{\"result\":\"applied\"}".utf8))
      } catch {
        return .problem(error)
      }
    }
  }

  private func explain(_ request: ConsoleRequest) -> Outcome {
    .work { [control] in
      do throws(ControlFault) {
        return .json(try control.explain(request.body))
      } catch {
        return .problem(error)
      }
    }
  }

  static let noHistory = Answer.problem(404, "no history of exchanges is kept (store: null)")
}
