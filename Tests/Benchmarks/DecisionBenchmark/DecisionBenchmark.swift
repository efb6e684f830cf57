import Names
import Policy

/// What a decision costs with a large policy: 1,000 entries in `rules.hosts` and 1,000 in `NSExceptionDomains`.
///
/// Prints the median, and the slowest of the batches, of the time that one call takes, for requests that the policy names, for
/// requests that it does not, and for names with many labels. A word as argument measures only the requests whose name has it.
@main
struct DecisionBenchmark {
  static func main() throws {
    let policy = try LargePolicy.make()
    print("1000 rules, 1000 exception domains; nanoseconds for each call, median (90th percentile)")
    let word = CommandLine.arguments.dropFirst().first ?? ""
    for measured in try Workload.all() where word.isEmpty || measured.name.contains(word) {
      var line = measured.name.padded(to: 44)
      for question in Question.allCases {
        let time = Stopwatch.measure(measured.requests) { question.ask(policy, $0) }
        line += " \(question.rawValue) \(time.median) (\(time.high))".padded(to: 34)
      }
      print(line)
    }
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
