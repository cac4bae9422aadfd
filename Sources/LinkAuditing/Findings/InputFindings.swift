package import AccessLogs
internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The kinds of findings about the logs, in the order in which equals are shown.
  static let inputKinds: [FindingKind<AuditedInput>] = [
    DiagnosticKind(
      "input-incomplete", .error, "Input that could not be read to the end",
      condition: "an input could not be read to the end",
      meaning: "Lines after the damage are not counted, so all figures of the report are too low.",
      remedy: """
        Copy the log again from its server, and run the report again. If the log is still being \
        compressed, wait until it is complete.
        """
    ).finding { context in
      let damaged = context.digest.inputs.filter { $0.damage != nil }
      guard !damaged.isEmpty else { return nil }
      let isUnopened = damaged.allSatisfy { $0.damage?.isUnopened ?? false }
      let what = isUnopened ? "could not be read" : "could not be read to the end"
      return context.finding(
        .error, "\(damaged.count.counted("input")) \(what). The figures don't include the rest.",
        Traffic(), damaged.evidence,
        share: Finding.share(damaged.count, of: context.digest.inputs.count),
        remedy: context.remedy(damaged.compactMap(\.damage), isUnopened: isUnopened))
    },
    DiagnosticKind(
      "no-requests", .error,
      except: "`warning` if the logs are empty, or have no request in the requested period",
      "Logs without requests",
      condition: "the logs have lines, but none is a request",
      meaning: "linkaudit judged nothing, so the report says nothing about the rules.",
      remedy: """
        Check how linkaudit reads the lines with 'linkaudit formats test LOG', and pass the format \
        with '--log-format'.
        """
    ).finding { context in
      let tally = context.digest.tally
      guard tally.requests == 0 else { return nil }
      if tally.outside > 0 {
        return context.finding(
          .warning, "The logs have no request in the requested period.",
          remedy: "Compare '--since' and '--until' with the times in the logs.")
      }
      if tally.lines == 0 {
        return context.finding(
          .warning, "The logs are empty.",
          remedy: "Check that the server writes its access log here.")
      }
      return context.finding(
        .error,
        "The logs have \(tally.lines.counted("line")), but no request. Is this the right log format?"
      )
    },
    DiagnosticKind(
      "format-doubtful", .error, "Probably wrong log format",
      condition: """
        more than an eighth of a log's requests have a browser's name (`Mozilla/`) outside the \
        field of the user agent; or, of at least \(LineTally.timedRequests) requests, fewer than \
        an eighth have a readable time, although the format has one; or many of its first lines, \
        or most of some later lines, have odd fields, such as targets that are no paths, hosts that \
        are none, or user agents that end inside parentheses; or most lines of Apple's browsers are \
        rejected; or, in a format that nobody named, a quarter of the lines have a host that it \
        ignores, or some have a site's name in the place of the client, or none has a time; a \
        warning if linkaudit inferred the format from at most \
        \(TrafficDigest.Input.fewRequests) requests
        """,
      meaning: """
        A line can fit a format that has other fields in the same places. Platforms, visits and \
        links on the same host are wrong then.
        """,
      remedy: """
        Check how linkaudit reads the lines with 'linkaudit formats test LOG'. Copy the format \
        from the server's configuration, and pass it with '--log-format'.
        """
    ).findings { context in
      let inputs = context.digest.inputs.filter { $0.format != nil && $0.tally.isMisread }
      let formats = Dictionary(grouping: inputs) { $0.format?.name ?? "" }
      let doubts = formats.sorted { $0.key < $1.key }.map { name, inputs in
        inputs.first.map { context.doubt(about: name, inputs, first: $0) }
      }
      return (doubts + context.oddFields + [context.rejectedBrowsers, context.formatOfFewLines])
        .compactMap(\.self)
    },
    DiagnosticKind(
      "host-doubtful", .error,
      except: "`warning` if some referrers name the host, or fewer than half name the other one",
      "Probably wrong host",
      condition: """
        lines name no host, and most of their referrers name another host than the one of \
        '--host' or '--host-from-path', or no referrer names it and the most frequent one differs \
        in a few letters
        """,
      meaning: """
        Most requests for a site's pages, images and scripts come from its own pages. With the \
        wrong host, links on the same host count as links from other sites.
        """,
      remedy: "Pass the right host with '--host'. If this one is right, add '--host-confirmed'."
    ).findings { context in
      context.digest.doubtfulHosts.map { doubt in
        context.finding(
          doubt.ownRequests == 0 && doubt.isContradicted ? .error : .warning, about: doubt.host,
          "Lines without a host count for \(doubt.host), but \(doubt.likelyRequests.grouped) of "
            + "\(doubt.requests.counted("referrer")) name \(doubt.likelyHost)"
            + (doubt.ownRequests == 0
              ? ", and none names \(doubt.host)."
              : ", and only \(doubt.ownRequests.grouped) \(doubt.host)."),
          Traffic(requests: doubt.likelyRequests),
          share: Finding.share(doubt.likelyRequests, of: doubt.requests),
          remedy:
            "If these are logs of \(doubt.likelyHost), pass '--host \(doubt.likelyHost)'. If "
            + "\(doubt.host) is right, add '--host-confirmed'.")
      }
    },
    DiagnosticKind(
      "days-doubtful", .warning, "Days in the future",
      condition: "requests have a day after tomorrow",
      meaning: """
        A server's clock was wrong, or linkaudit misreads the dates. Such requests count for the \
        wrong day and under the wrong version of the file.
        """,
      remedy: """
        Check the clock of the server, and how linkaudit reads the lines with 'linkaudit formats \
        test LOG'. Leave such days out with '--until today'.
        """
    ).finding { context in
      guard let today = context.today else { return nil }
      let days = context.digest.dailyClients.filter { $0.day?.isDoubtful(today: today) ?? false }
      guard let first = days.compactMap(\.day).min() else { return nil }
      let requests = days.reduce(0) { $1.counts.reduce($0) { $0 + $1.requests } }
      return context.finding(
        .warning,
        "\(requests.counted("request")) \(requests == 1 ? "is" : "are") dated \(first)"
          + (days.count > 1 ? " and \((days.count - 1).counted("later day"))" : "")
          + ", which is in the future.",
        Traffic(requests: requests),
        share: Finding.share(requests, of: context.digest.tally.requests))
    },
    DiagnosticKind(
      "no-user-agents", .warning, "Logs without user agents",
      condition: """
        the format of a log has neither user agents nor referrers, such as `common`; or none of \
        100 requests or more has a user agent
        """,
      meaning: """
        linkaudit detects visits from the user agent, and links on the same host from the \
        referrer. Without them, lines count only as requests.
        """,
      remedy: """
        Configure the server to write the combined format, or another format with user agent and \
        referrer.
        """
    ).finding { context in
      let formats = context.digest.inputs.filter { $0.tally.requests > 0 && $0.format != nil }
      let without = formats.filter { $0.format?.fields?.contains(.agent) == false }
      let all = context.digest.tally.requests
      if without.isEmpty {
        guard context.digest.lacksAgents else { return nil }
        return context.finding(
          .warning, "None of \(all.grouped) requests has a user agent, so none counts as a visit.",
          Traffic(requests: all), share: Finding.share(all, of: all))
      }
      let which = without.count == formats.count ? "The logs have" : "Some of the logs have"
      let names = Set(without.compactMap { $0.format?.name }).sorted().map { "'\($0)'" }
        .joined(separator: ", ")
      return context.finding(
        .warning,
        "\(which) neither user agents nor referrers (format \(names)), so their lines count as requests, but not as visits.",
        Traffic(requests: without.requests), without.evidence,
        share: Finding.share(without.requests, of: all))
    },
    DiagnosticKind(
      "lines-rejected", warning: 500, of: "lines", "Many lines that are not requests",
      condition: "many lines are not requests; headings don't count",
      meaning: """
        Scanners cause a few such lines. If there are many, linkaudit probably misreads the \
        format, and the figures miss real visits.
        """,
      remedy: """
        Write these lines with their reasons to a file with '--rejects FILE', and check how \
        linkaudit reads them with 'linkaudit formats test LOG'.
        """
    ).finding { context in
      let tally = context.digest.tally
      let rejected = tally.rejected - (context.digest.rejections[.heading] ?? 0)
      guard tally.requests > 0 else { return nil }
      let logs = context.digest.rejectedLines.filter { $0.reason != .heading }
        .prefix(Finding.Evidence.limit).map { "\($0.path):\($0.line)" }
      return context.measured(
        Traffic(requests: rejected), of: Traffic(requests: tally.lines),
        "\(rejected.grouped) of \(tally.lines.counted("line")) \(rejected == 1 ? "is not a request" : "are not requests"). Is this the right log format?",
        Finding.Evidence(logs: logs), traffic: Traffic())
    },
    DiagnosticKind(
      "other-hosts", note: 0, warning: 10_000, of: "requests", "Requests for other hosts",
      condition: "there are requests for hosts that are not a site of the report",
      meaning: "linkaudit does not judge them, because each host has its own association file.",
      remedy: """
        Pass each host that should open the app with '--site HOST=FILE'. You can ignore the others.
        """
    ).finding { context in
      let others = context.otherHosts.requests
      let all = context.digest.tally.requests
      let names = context.sites.map(\.host).listed
      let nameless = context.otherHosts.hostless
      let named = others - nameless
      let heaviest = context.otherHosts.rows.first { !$0.host.isEmpty }.map { host in
        " Heaviest: \(host.name == HostName.anyAddress ? "IP addresses" : host.name)."
      }
      let hostless =
        "\(nameless.grouped) of \(all.counted("request")) \(nameless == 1 ? "names" : "name") no host"
      let start =
        nameless > 0
        ? "\(hostless), and \(named.grouped)" : "\(named.grouped) of \(all.counted("request"))"
      return context.measured(
        Traffic(requests: others), of: Traffic(requests: all),
        named == 0
          ? hostless + "."
          : "\(start) \(named == 1 ? "is" : "are") for hosts other than \(names).\(heaviest ?? "")",
        remedy: context.remedyOfOtherHosts(isAll: others == all))
    },
  ]
}

extension FindingContext<AuditedInput> {
  /// Returns the remedy for input that could not be read, or `nil` for the usual one.
  ///
  /// Copying a log again does not help if it expands too far.
  fileprivate func remedy(_ damage: [LogDamage], isUnopened: Bool) -> String? {
    let (packed, foreign) = (
      "Decompress or unpack the input first.", "Convert or decompress the input first."
    )
    let expanded =
      "Check why the log expands so much. If it is not an attack, allow more with '--max-expansion'."
    let remedies = Set(
      damage.map { damage -> String? in
        switch damage.kind {
        case .unsupported, .archive, .nested: packed
        case .foreign: foreign
        case .compressedTail: "Split the file where the compressed data begins."
        case .windowLimit:
          "Check who compressed the log. If it is not an attack, allow its window with '--max-window'."
        case .expansionLimit: expanded
        default: nil
        }
      })
    if remedies.count == 1, let own = remedies.first ?? nil { return own }
    if remedies == [packed, foreign] { return foreign }
    if isUnopened { return "Check the path and its permissions." }
    return remedies.contains(expanded) ? "\(expanded) \(kind.remedy)" : nil
  }

  /// The finding about logs that were read as one format, and probably have another one.
  fileprivate func doubt(
    about name: String, _ inputs: [TrafficDigest.Input], first: TrafficDigest.Input
  ) -> Finding {
    let isOfAgents = inputs.contains(where: \.tally.hasMisplacedAgents)
    // Times are also read from requests outside the requested period.
    let requests = inputs.requests + (isOfAgents ? 0 : inputs.reduce(0) { $0 + $1.tally.outside })
    let doubted = inputs.reduce(0) {
      $0 + (isOfAgents ? $1.tally.misplacedAgents : $1.tally.unreadTimes)
    }
    let what =
      isOfAgents ? "a browser's name outside the field of the user agent" : "no readable time"
    return finding(
      .error, about: name,
      "\(doubted.grouped) of \(requests.counted("request")) \(doubted == 1 ? "has" : "have") \(what) in \(inputs.named), read as \(name)."
        + (first.doubtfulLine.map(reading) ?? ""),
      Traffic(requests: requests), inputs.evidence,
      share: Finding.share(doubted, of: requests))
  }

  /// The findings about logs whose first lines have odd fields, one for each format and oddity.
  fileprivate var oddFields: [Finding] {
    let doubts = self.digest.inputs.flatMap { input in
      input.doubts.filter { !input.tally.covers($0.oddity) }.map { (doubt: $0, input: input) }
    }
    let groups = Dictionary(grouping: doubts) {
      "\($0.input.format?.name ?? ""): \($0.doubt.oddity)"
        + ($0.doubt.line > 0 ? " in later lines" : "")
    }
    return groups.sorted { $0.key < $1.key }.compactMap { subject, odd in
      guard let (doubt, input) = odd.first else { return nil }
      let name = input.format?.name ?? ""
      let (count, total) = odd.reduce((0, 0)) { ($0.0 + $1.doubt.count, $0.1 + $1.doubt.total) }
      let (inputs, oddity) = (odd.map(\.input), doubt.oddity)
      let place = doubt.line > 0 ? "after line \((doubt.line - 1).grouped)" : "in the first lines"
      return finding(
        .error, about: subject,
        "\(count.grouped) of \(total.counted(oddity.meaning.noun)) \(place) of "
          + "\(inputs.named), read as \(name), \(oddity.predicate(count))"
          + (doubt.example.isEmpty ? "." : ", such as '\(doubt.example)'."),
        Traffic(requests: inputs.requests), inputs.evidence,
        share: Finding.share(count, of: total), remedy: doubt.remedy(for: input))
    }
  }

  /// The finding about logs whose rejected lines have most of the browsers on Apple's devices.
  fileprivate var rejectedBrowsers: Finding? {
    let inputs = self.digest.inputs.filter { $0.tally.rejectedAppleLines > 0 }
    let isKnown = self.digest.inputs.contains { input in
      input.doubts.contains { $0.oddity == .rejectedAgent }
    }
    let rejected = inputs.reduce(0) { $0 + $1.tally.rejectedAppleLines }
    let read = self.digest.dailyClients.reduce(0) { sum, day in
      day.counts.reduce(sum) { $1.platform.isApple ? $0 + $1.requests : $0 }
    }
    guard !isKnown, rejected > read else { return nil }
    return finding(
      .error, about: "rejected lines",
      "\(rejected.counted("line")) of browsers on Apple's devices \(rejected == 1 ? "is" : "are") rejected"
        + " in \(inputs.named), and only \(read.grouped) \(read == 1 ? "is a request" : "are requests").",
      Traffic(requests: read), inputs.evidence,
      share: Finding.share(rejected, of: rejected + read))
  }

  /// The finding about logs whose format was inferred from too few lines to be certain.
  fileprivate var formatOfFewLines: Finding? {
    let inputs = self.digest.inputs.filter(\.hasUncertainFormat)
    guard !inputs.isEmpty else { return nil }
    return finding(
      .warning, about: "few requests",
      "The format of \(inputs.named) is not a known one. linkaudit inferred it from "
        + "\(inputs.requests.counted("request")), so it may be wrong.",
      Traffic(requests: inputs.requests), inputs.evidence)
  }

  private func reading(_ line: [TrafficDigest.DoubtfulField]) -> String {
    " linkaudit read the first such line as: "
      + line.map { field in
        field.name + " " + (field.value.map { "'\($0)'" } ?? "absent")
      }.joined(separator: ", ") + "."
  }

  /// The remedy for requests of other hosts: where no request is for a site, the host was
  /// probably misspelt.
  fileprivate func remedyOfOtherHosts(isAll: Bool) -> String? {
    guard let heaviest = self.otherHosts.rows.first?.name else { return nil }
    guard !heaviest.isEmpty else {
      return "Pass the host of these lines with '--host HOST' or '--host-from-path PATTERN'. If "
        + "they are in a digest, pass it when you make the digest."
    }
    guard isAll else { return nil }
    guard heaviest != HostName.anyAddress else {
      return "If lines begin with addresses of proxies or clients, they name no host: pass "
        + "'--log-format combined' and '--host HOST'."
    }
    return "If you mean '\(heaviest)', pass it with '--host'."
  }
}

extension [TrafficDigest.Input] {
  /// The first log and the number of others, such as `'a.log' and 2 other logs`.
  fileprivate var named: String {
    "'\(first?.path ?? "")'"
      + (count > 1 ? " and \((count - 1).counted("other log"))" : "")
  }

  fileprivate var requests: Int { reduce(0) { $0 + $1.tally.requests } }

  fileprivate var evidence: Finding.Evidence {
    Finding.Evidence(logs: prefix(Finding.Evidence.limit).map(\.path))
  }
}

extension LineTally {
  /// Returns a Boolean value indicating whether the doubts of all lines say the same as an oddity of
  /// the first ones.
  fileprivate func covers(_ oddity: FormatReview.Oddity) -> Bool {
    switch oddity {
    case .agent, .cutAgent, .shortAgent, .referrer: hasMisplacedAgents
    case .time: lacksTimes
    default: false
    }
  }
}

extension FormatReview.Doubt {
  /// The odd part of the lines in words, without a full stop, as a part of a sentence that begins
  /// with their place.
  package var sentence: String {
    (line > 0 ? "from line \(line.grouped) on, " : "in its first lines, ")
      + "\(count.grouped) of \(total.counted(oddity.meaning.noun)) "
      + oddity.predicate(count)
  }

  fileprivate func remedy(for input: TrafficDigest.Input) -> String {
    let (name, field) = (input.format?.name ?? "", oddity.meaning.field.name)
    if line > 0 {
      return "The server's log format has probably changed. Split the log where it changes, and "
        + "read each part with its own format. To see how linkaudit reads the later lines, run "
        + "'tail -n +\(line) LOG | linkaudit formats test -'."
    }
    let check = "Check how linkaudit reads the lines with 'linkaudit formats test LOG'. "
    if LogFormat.isJSON(named: name) {
      return check + "Name the key that holds the \(field) with '--json-keys \(field)=KEY'."
    }
    if oddity == .moreValues {
      return check + "Put values that can hold the separator into quotation marks, in the server's "
        + "log format and in '--log-format'."
    }
    if oddity == .cutAgent, input.settings.namesFormat {
      return check + "If the server's log format has no quotation marks around the user agent, add "
        + "them there and in '--log-format'."
    }
    if input.settings.namesFormat {
      return check + "Compare the \(field) in '--log-format' with the server's configuration."
    }
    return check + "Copy the format from the server's configuration, with its field for the "
      + "\(field), and pass it with '--log-format'."
  }
}

extension LogDamage {
  /// A Boolean value indicating whether the input could not be opened at all.
  package var isUnopened: Bool {
    switch kind {
    case .system, .unsupported, .archive, .foreign, .nested: offset == 0
    default: false
    }
  }
}
