import TestSupport

@testable import AccessLogs

/// A log in an nginx format, and the fields of each of its lines.
struct PermutedLog {
  /// A variable of nginx.
  enum Variable: String, CaseIterable {
    case address = "$remote_addr"
    case identity = "-"
    case user = "$remote_user"
    case time = "$time_local"
    case request = "$request"
    case status = "$status"
    case size = "$body_bytes_sent"
    case referrer = "$http_referer"
    case agent = "$http_user_agent"
    case host = "$host"
    case duration = "$request_time"
    case forwarded = "$http_x_forwarded_for"
    case extra = "$http_x_request_id"
    case length = "$request_length"
    case cache = "$upstream_cache_status"
    case method = "$request_method"
    case target = "$request_uri"
    case path = "$uri"
    case query = "$args"
    case server = "$server_name"
    case upstream = "$upstream_addr"
    case scheme = "$scheme"
    case cookie = "$http_cookie"
    case language = "$http_accept_language"
    case type = "$sent_http_content_type"
    case file = "$request_filename"
    case origin = "$http_origin"
    case machine = "$hostname"
    case protocolVersion = "$server_protocol"
    case body = "$request_body"
  }

  /// The text between the values.
  enum Delimiter: String, CaseIterable {
    case blank = " "
    case bar = "|"
    case spacedBar = " | "
    case tab = "\t"
    case comma = ","
    case semicolon = ";"
    case twoBlanks = "  "
    case hyphen = " - "
  }

  /// What a program wrote before each line.
  enum Prefix: String, CaseIterable {
    case service = "nginx.1    | "
    case coloredService = "\u{1B}[0;33;1mweb-1  | \u{1B}[0m"
    case syslog = "Jun  3 12:00:00 web nginx[12]: "
    case structured = "<134>1 2026-06-03T12:00:00Z web nginx - - - "
    case timestamp = "2026-06-03T12:00:00.123456789Z "
    case container = "2026-06-03T12:00:00.123456789+00:00 stdout F "
    case pod = "[pod/web-7d4b9/nginx] "
    case color = "\u{1B}[0m"
    case foreman = "\u{1B}[36m12:00:01 web.1  | \u{1B}[0m"
  }

  /// What makes a log unlike the documented ones.
  struct Twists {
    /// What is before each line.
    var prefix = ""

    /// The hundredths of neighbors in marks that have nothing between them.
    var gluedShare = 0

    /// The variables with the same value in each line.
    var constants: Set<Variable> = []

    /// The hundredths of lines of health checks, which ask for no host of the site.
    var checkedShare = 0

    /// What is written for a value that is absent.
    var absent = "-"

    /// The marks around hosts.
    var hostMarks = ("", "")

    /// Whether user agents have no marks, whatever the delimiter is.
    var hasBareAgents = false

    /// Whether numbers have labels, as in `rt=0.005`.
    var hasLabels = false
  }

  /// The notation of times.
  enum Clock: CaseIterable {
    case local, quotedLocal, bareLocal, iso, bracketedISO, seconds
  }

  /// The fields of a line that matter.
  struct Fields: Hashable, CustomStringConvertible {
    var target: String?
    var status = 0
    var host: String?
    var referrer: String?
    var agent: String?

    /// The query until it is a part of the target.
    var query: String?

    var description: String {
      "target \(target ?? "?"), status \(status), host \(host ?? "?"), referrer \(referrer ?? "?"), "
        + "agent \(agent ?? "?")"
    }
  }

  struct Line {
    var text = ""
    var fields = Fields()
  }

  var notation: String
  var lines: [Line]

  /// The text for `--log-format`.
  var definition = ""
}

extension PermutedLog.Fields {
  init(_ record: LogRecord, in text: [UInt8]) {
    func value(_ range: Range<Int>?) -> String? {
      guard let range else { return nil }
      var bytes: [UInt8] = []
      LogEscapes.append(undoing: text.span.extracting(range), to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    (target, status) = (value(record.target), Int(record.status))
    // Later, the usual port is left out.
    let written = value(record.host).map { $0.hasSuffix(":443") ? String($0.dropLast(4)) : $0 }
    host = written == "-" || written == "" ? nil : written
    (referrer, agent) = (value(record.referrer), value(record.agent))
  }
}

extension PermutedLog {
  /// A generator of random logs.
  struct Maker {
    var generator = SeededGenerator()

    /// Whether there are too few lines to distinguish sizes from statuses.
    private var hasFewLines = false

    /// Whether lines have the host that was asked for.
    private var namesHost = false

    /// The values that are the same in each line of the log.
    private var constantValues: [Variable: String] = [:]

    mutating func pick<Value>(_ values: [Value]) -> Value { generator.pick(values) }

    mutating func chance(_ percent: Int) -> Bool { generator.chance(percent) }

    /// A log of any format.
    mutating func log() -> PermutedLog {
      var variables: [Variable] = [.time, .request, .status]
      for (variable, percent) in [
        (Variable.address, 92), (.identity, 40), (.user, 40), (.size, 85), (.referrer, 85),
        (.agent, 92), (.host, 55), (.duration, 40), (.forwarded, 40), (.extra, 15), (.length, 15),
        (.cache, 15),
      ] where chance(percent) {
        variables.append(variable)
      }
      // Many keep the usual order, except for a few fields.
      if chance(40) {
        let usual: [Variable] = [
          .address, .identity, .user, .time, .request, .status, .size, .referrer, .agent,
        ]
        variables = usual + variables.filter { !usual.contains($0) }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let moved = variables.remove(at: Int.random(in: 0..<variables.count, using: &generator))
          variables.insert(moved, at: Int.random(in: 0...variables.count, using: &generator))
        }
        if chance(30) { variables.removeAll { $0 == .user || $0 == .identity } }
      } else {
        variables.shuffle(using: &generator)
      }
      let delimiter = chance(50) ? Delimiter.blank : pick(Delimiter.allCases)
      return log(of: variables, delimiter, count: pick([1, 2, 5, 12, 30, 120]), varies: true)
    }

    /// A log of any fields with any twists.
    mutating func twistedLog() -> PermutedLog {
      var variables: [Variable] = [.time, .status]
      variables += pick([[.request], [.request], [.method, .target], [.method, .path, .query]])
      for (variable, percent) in [
        (Variable.address, 92), (.identity, 30), (.user, 30), (.size, 85), (.referrer, 85),
        (.agent, 95), (.host, 60), (.duration, 40), (.forwarded, 40), (.extra, 15), (.length, 15),
        (.cache, 15), (.server, 15), (.upstream, 20), (.scheme, 15), (.cookie, 6), (.language, 6),
        (.type, 6), (.file, 6), (.origin, 6), (.machine, 6), (.protocolVersion, 6), (.body, 6),
      ] where chance(percent) {
        variables.append(variable)
      }
      variables.shuffle(using: &generator)
      // A query follows its path.
      if let path = variables.firstIndex(of: .path), chance(60) {
        variables.removeAll { $0 == .query }
        variables.insert(.query, at: min(path + 1, variables.count))
      }
      var twists = Twists()
      if chance(25) { twists.prefix = pick(Prefix.allCases).rawValue }
      if chance(30) { twists.gluedShare = pick([20, 60, 100]) }
      for variable in [Variable.referrer, .agent, .host, .upstream, .duration, .forwarded, .query]
      where chance(15) {
        twists.constants.insert(variable)
      }
      if chance(40) { twists.checkedShare = pick([5, 20, 30, 60]) }
      // After a header, an empty first value is lost.
      if chance(15), twists.prefix.isEmpty { twists.absent = "" }
      if chance(25) {
        twists.hostMarks = pick([
          ("(", ")"), ("[", "]"), ("\"", "\""), ("<", ">"), ("host=", ""), ("vhost:", ""),
          ("", "/"), ("", ":443"), ("https://", ""), ("sn=a,host=", ""),
        ])
      }
      twists.hasBareAgents = chance(15)
      twists.hasLabels = chance(15)
      let delimiter = chance(50) ? Delimiter.blank : pick(Delimiter.allCases)
      return log(
        of: variables, delimiter, count: pick([1, 2, 5, 12, 30, 120]), varies: true, twists: twists)
    }

    /// A log of some variables in an order.
    mutating func log(
      of variables: [Variable], _ delimiter: Delimiter, count: Int, varies: Bool = false,
      twists: Twists = Twists()
    ) -> PermutedLog {
      constantValues = [:]
      namesHost = variables.contains(.host)
      hasFewLines = count < 8
      let clock = varies ? pick(Clock.allCases) : .local
      // With blanks and commas, these have quotation marks.
      let quotes =
        delimiter == .blank || delimiter == .twoBlanks || delimiter == .comma
        || delimiter == .hyphen || varies && chance(60)
      let quotesNumbers = varies && chance(15)
      let quotesForwarded = quotes && (delimiter == .comma || !varies || chance(80))
      let hosts = varies && chance(50) ? ["www.example.com", "m.example.com"] : ["www.example.com"]
      func isQuoted(_ variable: Variable) -> Bool {
        switch variable {
        case .agent: quotes && !twists.hasBareAgents
        case .request, .referrer, .extra, .upstream, .body: quotes
        // In a few lines, nothing shows that they hold the delimiter.
        case .cookie, .language, .type: quotes || delimiter == .semicolon && hasFewLines
        case .forwarded: quotesForwarded
        case .status, .size: quotesNumbers
        case .host, .duration: quotesNumbers
        default: false
        }
      }
      func written(_ variable: Variable, _ value: String) -> String {
        if variable == .time {
          switch clock {
          case .local, .bracketedISO: return "[\(value)]"
          case .quotedLocal: return "\"\(value)\""
          case .bareLocal, .iso, .seconds: return value
          }
        }
        if variable == .host { return twists.hostMarks.0 + value + twists.hostMarks.1 }
        if twists.hasLabels, variable == .duration || variable == .length {
          return (variable == .duration ? "rt=" : "len=") + value
        }
        return isQuoted(variable) ? "\"\(value)\"" : value
      }
      let glued = (1..<max(2, variables.count)).map { _ in chance(twists.gluedShare) }
      func joined(_ values: [String]) -> String {
        var text = values.first ?? ""
        for (index, value) in values.enumerated().dropFirst() {
          let hasMarks = text.last == "\"" || text.last == "]"
          let isMarked = value.first == "\"" || value.first == "["
          if !glued[index - 1] || !hasMarks || !isMarked { text += delimiter.rawValue }
          text += value
        }
        return text
      }
      let lines = (0..<count).map { number -> Line in
        var line = Line()
        let isCheck = number > 0 && chance(twists.checkedShare)
        let host =
          isCheck && !twists.constants.contains(.host)
          ? pick(["-", "10.0.0.7", "localhost"])
          : twists.constants.contains(.host) ? hosts[0] : pick(hosts)
        line.fields.host = variables.contains(.host) && host != "-" ? host : nil
        let site = isCheck ? hosts[0] : host
        var values = variables.map { variable in
          var value = value(
            of: variable, clock, variable == .host ? host : site, number, &line.fields)
          if isCheck, variable == .agent, !twists.constants.contains(.agent) {
            (value, line.fields.agent) = ("kube-probe/1.29", "kube-probe/1.29")
          }
          if isCheck, variable == .referrer { (value, line.fields.referrer) = ("-", nil) }
          if twists.constants.contains(variable) {
            // Pages of several hosts don't have all visits from one of them.
            if variable == .referrer, hosts.count > 1 { value = "https://search.example/" }
            constantValues[variable] = constantValues[variable] ?? value
            value = constantValues[variable] ?? value
            let known = value == "-" ? nil : value
            if variable == .agent { line.fields.agent = known }
            if variable == .referrer { line.fields.referrer = known }
            if variable == .query { line.fields.query = known }
          }
          return written(variable, value == "-" && variable != .identity ? twists.absent : value)
        }
        if let file = variables.firstIndex(of: .file) {
          let path = line.fields.target?.prefix { $0 != "?" } ?? "/"
          values[file] += path + (path.hasSuffix("/") ? "index.html" : "")
        }
        // Only some requests have a body.
        if let body = variables.firstIndex(of: .body),
          !values.contains(where: { $0.contains("POST") })
        {
          values[body] = written(.body, twists.absent)
        }
        if let query = line.fields.query, variables.contains(.query) {
          line.fields.target = (line.fields.target ?? "") + "?" + query
        }
        line.fields.query = nil
        line.text = twists.prefix + joined(values)
        return line
      }
      let clockVariable =
        switch clock {
        case .local, .quotedLocal, .bareLocal: "$time_local"
        case .iso, .bracketedISO: "$time_iso8601"
        case .seconds: "$msec"
        }
      let definition = joined(
        variables.map { written($0, $0 == .time ? clockVariable : $0.rawValue) })
      return PermutedLog(
        notation: twists.prefix.replacing("\u{1B}", with: "ESC") + definition + " (\(clock))",
        lines: lines, definition: definition)
    }

    private static let agents = [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0",
      "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
      "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1",
      "curl/8.6.0",
      "Shop/41 CFNetwork/1494.0.7 Darwin/23.4.0", "-",
    ]

    mutating func value(
      of variable: Variable, _ clock: Clock, _ host: String, _ number: Int, _ fields: inout Fields
    ) -> String {
      let second = 10 + number % 50
      switch variable {
      case .address:
        return chance(10)
          ? "2001:db8::\(number + 1)" : "203.0.113.\(Int.random(in: 1...254, using: &generator))"
      case .identity: return "-"
      case .user: return chance(5) ? "bob" : "-"
      case .time:
        switch clock {
        case .local, .quotedLocal, .bareLocal: return "03/Jun/2026:12:01:\(second) +0200"
        case .iso, .bracketedISO: return "2026-06-03T12:01:\(second)+02:00"
        case .seconds: return "17804880\(second).123"
        }
      case .request:
        let target = pick([
          "/", "/buy/\(number)", "/help?article=\(number)", "/a/b/c.html", "/static/app.js",
          "/search?q=x%20y&p=2", "/news/2026/06/03",
        ])
        fields.target = target
        return
          "\(pick(["GET", "GET", "GET", "POST", "HEAD"])) \(target) HTTP/\(pick(["1.1", "2.0"]))"
      case .status:
        let status = pick([200, 200, 200, 200, 301, 304, 404, 499, 500])
        fields.status = status
        return "\(status)"
      case .size:
        if hasFewLines { return "\(Int.random(in: 600...90_000, using: &generator))" }
        return
          "\(pick([0, Int.random(in: 100...999, using: &generator), Int.random(in: 0...90_000, using: &generator)]))"
      case .referrer:
        let referrer = pick([
          "-", "https://\(host)/", "https://\(host)/list?page=\(number)", "https://search.example/",
          "android-app://com.example.mail",
        ])
        fields.referrer = referrer == "-" ? nil : referrer
        return referrer
      case .agent:
        let agent = pick(Self.agents)
        fields.agent = agent == "-" ? nil : agent
        return agent
      case .host: return host
      case .duration: return "0.\(100 + number % 900)"
      case .forwarded:
        return pick([
          "-", "-", "198.51.100.\(number % 250 + 1)", "198.51.100.7, 192.0.2.\(number % 250 + 1)",
        ])
      case .extra: return "a1b2c3d4e5f6\(1000 + number)"
      case .length:
        return "\(Int.random(in: hasFewLines ? 600...1_200 : 200...1_200, using: &generator))"
      case .cache: return pick(["HIT", "MISS", "-"])
      case .method: return pick(["GET", "GET", "GET", "POST", "HEAD"])
      case .target, .path:
        let targets = ["/", "/buy/\(number)", "/a/b/c.html", "/static/app.js", "/news/2026/06/03"]
        let target = pick(
          variable == .path
            ? targets : targets + ["/help?article=\(number)", "/search?q=x%20y&p=2"])
        fields.target = target
        return target
      case .query:
        let query = pick(["-", "article=\(number)", "q=x%20y&p=2", "-"])
        fields.query = query == "-" ? nil : query
        return query
      case .server:
        // The next best if no other field holds the host.
        if !namesHost { fields.host = "www.example.com" }
        return "www.example.com"
      case .upstream: return pick(["10.0.0.5:8080", "10.0.0.6:8080", "-"])
      case .scheme: return "https"
      case .cookie: return pick(["-", "sid=abc\(number); theme=dark", "sid=abc\(number)"])
      case .language: return pick(["-", "en-US,en;q=0.9", "de-DE,de;q=0.9,en;q=0.8"])
      case .type: return pick(["text/html; charset=utf-8", "text/html", "application/json", "-"])
      case .file: return "/var/www/html"
      case .origin: return pick(["-", "-", "https://\(host)", "https://partner.example"])
      case .machine: return pick(["web-1", "web-2"])
      case .protocolVersion: return pick(["HTTP/1.1", "HTTP/2.0"])
      case .body: return pick(["-", "-", "a=1&b=2", "{\"a\":1}".replacing("\"", with: "\\x22")])
      }
    }
  }
}

extension PermutedLog.Maker {
  /// A log in JSON, with usual names in any order, in objects or out of them.
  mutating func jsonLog() -> PermutedLog {
    let count = pick([1, 2, 5, 12, 30])
    let quote = chance(30) ? #"\""# : ""
    let hosts = chance(50) ? ["www.example.com", "m.example.com"] : ["www.example.com"]
    let names: [PermutedLog.Variable: String] = [
      .method: pick(["method", "request_method", "verb", "http_method"]),
      .target: pick(["request_uri", "uri", "path", "url", "requestUri"]),
      .status: pick(["status", "status_code", "response_code", "statusCode"]),
      .referrer: pick(["referer", "http_referer", "referrer", "request_referer"]),
      .agent: pick(["user_agent", "http_user_agent", "ua", "userAgent"]),
      .time: pick(["time", "@timestamp", "ts", "time_local"]),
      .host: pick(["host", "http_host", "domain", "vhost", "server_name"]),
    ]
    let pair = pick([("uri", "args"), ("path", "query"), ("url_path", "query_string")])
    let targets = pick(["whole", "pair", "request", "object", "url"])
    let (hasHost, hasMark) = (targets == "url" || chance(80), chance(50))
    let isServerFirst = hasHost && targets != "url" && names[.host] != "host" && chance(20)
    let (isNumber, clock) = (chance(50), pick([PermutedLog.Clock.iso, .local, .seconds]))
    let absent = pick([#""-""#, #""""#, "null", nil])
    let wrapper = pick([nil, nil, nil, "nginx", "log"])
    let prefix = chance(20) ? pick(PermutedLog.Prefix.allCases).rawValue : ""
    var order: [Int] = []
    let lines = (0..<count).map { number -> PermutedLog.Line in
      var line = PermutedLog.Line()
      let host = pick(hosts)
      var query: String?
      var members: [(String, String?)] = []
      func text(_ value: String) -> String { "\"\(value)\"" }
      func write(_ variable: PermutedLog.Variable, _ value: String) {
        members.append((names[variable] ?? "", value == "-" ? absent : text(value)))
      }
      var method = value(of: .method, clock, host, number, &line.fields)
      if targets == "whole" || targets == "request" || targets == "url" {
        let request = value(of: .request, clock, host, number, &line.fields)
        let target = line.fields.target ?? "/"
        method = String(request.prefix { $0 != " " })
        if targets == "request" { members.append(("request", text(request))) }
        if targets == "whole" { write(.target, target) }
        if targets == "url" {
          line.fields.target = "https://\(host)\(target)"
          write(.target, "https://\(host)\(target)")
        }
      } else {
        let path = value(of: .path, clock, host, number, &line.fields)
        query = value(of: .query, clock, host, number, &line.fields)
        let written = query == "-" ? absent : text((hasMark ? "?" : "") + (query ?? ""))
        if query != "-" { line.fields.target = path + "?" + (query ?? "") }
        line.fields.query = nil
        if targets == "object" {
          let item = written.map { ",\"query\":\($0)" } ?? ""
          members.append(("url", #"{"path":"\#(path)"\#(item)}"#))
        } else {
          members += [(pair.0, text(path)), (pair.1, written)]
        }
      }
      if targets != "request" { write(.method, method) }
      let status = value(of: .status, clock, host, number, &line.fields)
      members.append((names[.status] ?? "", isNumber ? status : text(status)))
      write(.time, value(of: .time, clock, host, number, &line.fields))
      write(.referrer, value(of: .referrer, clock, host, number, &line.fields))
      var agent = value(of: .agent, clock, host, number, &line.fields)
      if agent != "-", !quote.isEmpty {
        (agent, line.fields.agent) = ("\(quote)\(agent)", "\"\(agent)")
      }
      write(.agent, agent)
      if hasHost, targets != "url" {
        line.fields.host = host
        write(.host, host)
      }
      if isServerFirst { members.append(("host", text(pick(["10.0.0.5", "web-1"])))) }
      members += [
        ("remote_addr", text("203.0.113.\(number % 250 + 1)")), ("level", text("info")),
        ("upstream", #"{"addr":"10.0.0.5:80","code":"502"}"#), ("tags", #"["a","/b"]"#),
      ]
      if order.isEmpty { order = members.indices.shuffled(using: &generator) }
      let object = order.compactMap { index in
        members[index].1.map { "\"\(members[index].0)\":\($0)" }
      }.joined(separator: ",")
      line.text = prefix + (wrapper.map { "{\"\($0)\":{\(object)},\"pid\":7}" } ?? "{\(object)}")
      return line
    }
    return PermutedLog(notation: "JSON, \(targets)", lines: lines)
  }
}
