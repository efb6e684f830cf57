public import Records

extension DeviceRegistry {
  /// How many devices are known, by the step that the trust doctor misses.
  public var families: [MetricFamily] {
    let missing = devices.map { DoctorReport($0).missing }
    let steps: [DoctorReport.Step?] = [nil, .proxy, .certificate, .trust, .clock]
    return [
      MetricFamily(
        "devices", .gauge, "Devices that were at the site for devices, by the step that is missing.",
        samples: steps.map { step in
          MetricFamily.Sample(
            labels: ["missing": step?.rawValue ?? "none"], value: Double(missing.count { $0 == step }))
        })
    ]
  }
}
