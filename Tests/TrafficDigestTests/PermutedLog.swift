import TestSupport

@testable import AccessLogs

/// A log in an nginx format, and the fields of each of its lines.
struct PermutedLog {
  enum Variable: String {
    case address = "$remote_addr", identity = "-", user = "$remote_user", time = "$time_local"
    case request = "$request", status = "$status", size = "$body_bytes_sent"
    case referrer = "$http_referer", agent = "$http_user_agent", host = "$host"
    case duration = "$request_time", forwarded = "$http_x_forwarded_for"
    case extra = "$http_x_request_id", length = "$request_length", cache = "$upstream_cache_status"
    case method = "$request_method", target = "$request_uri", path = "$uri", query = "$args"
    case server = "$server_name", upstream = "$upstream_addr", scheme = "$scheme"
    case cookie = "$http_cookie", language = "$http_accept_language"
    case type = "$sent_http_content_type", file = "$request_filename", origin = "$http_origin"
    case machine = "$hostname", protocolVersion = "$server_protocol", body = "$request_body"
  }

  static let delimiters = [" ", "|", " | ", "\t", ",", ";", "  ", " - "]

  /// The texts that programs write before each line.
  static let prefixes = [
    "nginx.1    | ", "\u{1B}[0;33;1mweb-1  | \u{1B}[0m", "Jun  3 12:00:00 web nginx[12]: ",
    "<134>1 2026-06-03T12:00:00Z web nginx - - - ", "2026-06-03T12:00:00.123456789Z ",
    "2026-06-03T12:00:00.123456789+00:00 stdout F ", "[pod/web-7d4b9/nginx] ", "\u{1B}[0m",
    "\u{1B}[36m12:00:01 web.1  | \u{1B}[0m",
  ]

  static let clocks = [
    "[$time_local]", "\"$time_local\"", "$time_local", "$time_iso8601", "[$time_iso8601]", "$msec",
  ]

  static let agents = [
    RandomLog.phone,
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1",
    "curl/8.6.0", "Shop/41 CFNetwork/1494.0.7 Darwin/23.4.0", "-",
  ]

  /// What makes a log unlike the documented ones.
  struct Twists {
    var prefix = ""

    /// The hundredths of neighbors in marks that have nothing between them.
    var gluedShare = 0

    /// The hundredths of lines of health checks, which ask for no host of the site.
    var checkedShare = 0

    var constants: Set<Variable> = []

    /// The text in place of an absent value, and the marks around hosts.
    var absent = "-"
    var hostMarks = ("", "")

    /// Whether user agents have no marks, whatever the delimiter is.
    var hasBareAgents = false

    /// Whether numbers have labels, as in `rt=0.005`.
    var hasLabels = false
  }

  struct Fields: Hashable {
    var target: String?
    var status = 0
    var host: String?
    var referrer: String?
    var agent: String?

    /// The query until it is a part of the target.
    var query: String?

    mutating func note(_ variable: Variable, _ value: String) {
      let known = value == "-" ? nil : value
      switch variable {
      case .request: target = String(value.split(separator: " ")[1])
      case .target, .path: target = value
      case .status: status = Int(value) ?? 0
      case .host, .server: host = known
      case .referrer: referrer = known
      case .agent: agent = known
      case .query: query = known
      default: break
      }
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

// Random logs.
extension SeededGenerator {
  private mutating func chosen<Key>(_ shares: KeyValuePairs<Key, Int>) -> [Key] {
    shares.filter { chance($0.value) }.map { $0.key }
  }

  mutating func log() -> PermutedLog {
    var variables: [PermutedLog.Variable] = [.time, .request, .status]
    variables += chosen([
      .address: 92, .identity: 40, .user: 40, .size: 85, .referrer: 85, .agent: 92, .host: 55,
      .duration: 40, .forwarded: 40, .extra: 15, .length: 15, .cache: 15,
    ])
    // Many keep the usual order, except for a few fields.
    if chance(40) {
      let usual: [PermutedLog.Variable] = [
        .address, .identity, .user, .time, .request, .status, .size, .referrer, .agent,
      ]
      variables = usual + variables.filter { !usual.contains($0) }
      for _ in 0..<Int.random(in: 1...3, using: &self) {
        let moved = variables.remove(at: Int.random(in: 0..<variables.count, using: &self))
        variables.insert(moved, at: Int.random(in: 0...variables.count, using: &self))
      }
      if chance(30) { variables.removeAll { $0 == .user || $0 == .identity } }
    } else {
      variables.shuffle(using: &self)
    }
    return variedLog(of: variables, .init())
  }

  mutating func twistedLog() -> PermutedLog {
    var variables: [PermutedLog.Variable] = [.time, .status]
    variables += pick([[.request], [.request], [.method, .target], [.method, .path, .query]])
    variables += chosen([
      .address: 92, .identity: 30, .user: 30, .size: 85, .referrer: 85, .agent: 95, .host: 60,
      .duration: 40, .forwarded: 40, .extra: 15, .length: 15, .cache: 15, .server: 15,
      .upstream: 20, .scheme: 15, .cookie: 6, .language: 6, .type: 6, .file: 6, .origin: 6,
      .machine: 6, .protocolVersion: 6, .body: 6,
    ])
    variables.shuffle(using: &self)
    // A query follows its path.
    if let path = variables.firstIndex(of: .path), chance(60) {
      variables.removeAll { $0 == .query }
      variables.insert(.query, at: min(path + 1, variables.count))
    }
    var twists = PermutedLog.Twists()
    if chance(25) { twists.prefix = pick(PermutedLog.prefixes) }
    if chance(30) { twists.gluedShare = pick([20, 60, 100]) }
    twists.constants = Set(
      chosen([
        .referrer: 15, .agent: 15, .host: 15, .upstream: 15, .duration: 15, .forwarded: 15,
        .query: 15,
      ]))
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
    return variedLog(of: variables, twists)
  }

  private mutating func variedLog(
    of variables: [PermutedLog.Variable], _ twists: PermutedLog.Twists
  ) -> PermutedLog {
    let delimiter = chance(50) ? " " : pick(PermutedLog.delimiters)
    let count = pick([1, 2, 5, 12, 30, 120])
    return log(of: variables, delimiter, count: count, varies: true, twists: twists)
  }

  mutating func log(
    of variables: [PermutedLog.Variable], _ delimiter: String, count: Int, varies: Bool = false,
    twists: PermutedLog.Twists = .init()
  ) -> PermutedLog {
    // There are too few lines to distinguish sizes from statuses.
    let hasFewLines = count < 8
    let clock = varies ? pick(PermutedLog.clocks) : PermutedLog.clocks[0]
    // With blanks and commas, these have quotation marks.
    let quotes = [" ", "  ", ",", " - "].contains(delimiter) || varies && chance(60)
    var quoted: Set<PermutedLog.Variable> =
      quotes ? [.request, .referrer, .extra, .upstream, .body, .cookie, .language, .type] : []
    // In a few lines, nothing shows that they hold the delimiter.
    if delimiter == ";", hasFewLines { quoted.formUnion([.cookie, .language, .type]) }
    if quotes, !twists.hasBareAgents { quoted.insert(.agent) }
    if varies, chance(15) { quoted.formUnion([.status, .size, .duration]) }
    if quotes, delimiter == "," || !varies || chance(80) { quoted.insert(.forwarded) }
    let hosts = varies && chance(50) ? ["www.example.com", "m.example.com"] : ["www.example.com"]
    func written(_ variable: PermutedLog.Variable, _ value: String) -> String {
      switch variable {
      case .time: value
      case .host: twists.hostMarks.0 + value + twists.hostMarks.1
      case .duration where twists.hasLabels: "rt=" + value
      case .length where twists.hasLabels: "len=" + value
      default: quoted.contains(variable) ? "\"\(value)\"" : value
      }
    }
    let glued = (1..<max(2, variables.count)).map { _ in chance(twists.gluedShare) }
    func joined(_ values: [String]) -> String {
      var text = values.first ?? ""
      for (index, value) in values.enumerated().dropFirst() {
        let hasMarks = text.last == "\"" || text.last == "]"
        let isMarked = value.first == "\"" || value.first == "["
        if !glued[index - 1] || !hasMarks || !isMarked { text += delimiter }
        text += value
      }
      return text
    }
    var constantValues: [PermutedLog.Variable: String] = [:]
    let lines = (0..<count).map { number -> PermutedLog.Line in
      var line = PermutedLog.Line()
      let isCheck = number > 0 && chance(twists.checkedShare)
      let host =
        twists.constants.contains(.host)
        ? hosts[0] : pick(isCheck ? ["-", "10.0.0.7", "localhost"] : hosts)
      let site = isCheck ? hosts[0] : host
      var values = variables.map { variable in
        let asked = variable == .host ? host : site
        var value = value(of: variable, clock, asked, number, hasFewLines: hasFewLines)
        if isCheck, variable == .agent { value = "kube-probe/1.29" }
        if isCheck, variable == .referrer { value = "-" }
        if twists.constants.contains(variable) {
          // Pages of several hosts don't have all visits from one of them.
          if variable == .referrer, hosts.count > 1 { value = "https://search.example/" }
          value = constantValues[variable] ?? value
          constantValues[variable] = value
        }
        // The server's name is the next best if no other field holds the host.
        if variable != .server || !variables.contains(.host) { line.fields.note(variable, value) }
        return written(variable, value == "-" && variable != .identity ? twists.absent : value)
      }
      if let file = variables.firstIndex(of: .file) {
        let path = line.fields.target?.prefix { $0 != "?" } ?? "/"
        values[file] += path + (path.hasSuffix("/") ? "index.html" : "")
      }
      // Only some requests have a body.
      let hasBody = values.contains { $0.contains("POST") }
      if let body = variables.firstIndex(of: .body), !hasBody {
        values[body] = written(.body, twists.absent)
      }
      if let query = line.fields.query {
        line.fields.target = (line.fields.target ?? "") + "?" + query
      }
      line.fields.query = nil
      line.text = twists.prefix + joined(values)
      return line
    }
    let definition = joined(variables.map { written($0, $0 == .time ? clock : $0.rawValue) })
    return PermutedLog(
      notation: twists.prefix.replacing("\u{1B}", with: "ESC") + definition, lines: lines,
      definition: definition)
  }

  /// The value of a variable; the time as its clock shows it.
  mutating func value(
    of variable: PermutedLog.Variable, _ clock: String, _ host: String, _ number: Int,
    hasFewLines: Bool = false
  ) -> String {
    switch variable {
    case .address:
      return chance(10)
        ? "2001:db8::\(number + 1)" : "203.0.113.\(Int.random(in: 1...254, using: &self))"
    case .identity: return "-"
    case .user: return chance(5) ? "bob" : "-"
    case .time:
      let second = 10 + number % 50
      return clock.replacing("$time_local", with: "03/Jun/2026:12:01:\(second) +0200")
        .replacing("$time_iso8601", with: "2026-06-03T12:01:\(second)+02:00")
        .replacing("$msec", with: "17804880\(second).123")
    case .request:
      let target = pick([
        "/", "/buy/\(number)", "/help?article=\(number)", "/a/b/c.html", "/static/app.js",
        "/search?q=x%20y&p=2", "/news/2026/06/03",
      ])
      let method = pick(["GET", "GET", "GET", "POST", "HEAD"])
      return "\(method) \(target) HTTP/\(pick(["1.1", "2.0"]))"
    case .status: return "\(pick([200, 200, 200, 200, 301, 304, 404, 499, 500]))"
    case .size:
      if hasFewLines { return "\(Int.random(in: 600...90_000, using: &self))" }
      let usual = Int.random(in: 100...999, using: &self)
      return "\(pick([0, usual, Int.random(in: 0...90_000, using: &self)]))"
    case .referrer:
      return pick([
        "-", "https://\(host)/", "https://\(host)/list?page=\(number)", "https://search.example/",
        "android-app://com.example.mail",
      ])
    case .agent: return pick(PermutedLog.agents)
    case .host: return host
    case .duration: return "0.\(100 + number % 900)"
    case .forwarded:
      return pick([
        "-", "-", "198.51.100.\(number % 250 + 1)", "198.51.100.7, 192.0.2.\(number % 250 + 1)",
      ])
    case .extra: return "a1b2c3d4e5f6\(1000 + number)"
    case .length: return "\(Int.random(in: hasFewLines ? 600...1_200 : 200...1_200, using: &self))"
    case .cache: return pick(["HIT", "MISS", "-"])
    case .method: return pick(["GET", "GET", "GET", "POST", "HEAD"])
    case .target, .path:
      let targets = ["/", "/buy/\(number)", "/a/b/c.html", "/static/app.js", "/news/2026/06/03"]
      let others = ["/help?article=\(number)", "/search?q=x%20y&p=2"]
      return pick(variable == .path ? targets : targets + others)
    case .query: return pick(["-", "article=\(number)", "q=x%20y&p=2", "-"])
    case .server: return "www.example.com"
    case .upstream: return pick(["10.0.0.5:8080", "10.0.0.6:8080", "-"])
    case .scheme: return "https"
    case .cookie: return pick(["-", "sid=abc\(number); theme=dark", "sid=abc\(number)"])
    case .language: return pick(["-", "en-US,en;q=0.9", "de-DE,de;q=0.9,en;q=0.8"])
    case .type: return pick(["text/html; charset=utf-8", "text/html", "application/json", "-"])
    case .file: return "/var/www/html"
    case .origin: return pick(["-", "-", "https://\(host)", "https://partner.example"])
    case .machine: return pick(["web-1", "web-2"])
    case .protocolVersion: return pick(["HTTP/1.1", "HTTP/2.0"])
    case .body: return pick(["-", "-", "a=1&b=2", #"{\x22a\x22:1}"#])
    }
  }

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
    let (isNumber, clock) = (chance(50), pick(["$time_iso8601", "$time_local", "$msec"]))
    let absent = pick([#""-""#, #""""#, "null", nil])
    let wrapper = pick([nil, nil, nil, "nginx", "log"])
    let prefix = chance(20) ? pick(PermutedLog.prefixes) : ""
    var order: [Int] = []
    let lines = (0..<count).map { number -> PermutedLog.Line in
      var line = PermutedLog.Line()
      let host = pick(hosts)
      var members: [(String, String?)] = []
      func text(_ value: String) -> String { "\"\(value)\"" }
      func made(_ variable: PermutedLog.Variable) -> String {
        value(of: variable, clock, host, number)
      }
      func write(_ variable: PermutedLog.Variable, _ value: String) {
        line.fields.note(variable, value)
        members.append((names[variable] ?? "", value == "-" ? absent : text(value)))
      }
      var method = made(.method)
      if targets == "pair" || targets == "object" {
        let (path, query) = (made(.path), made(.query))
        let shown = query == "-" ? absent : text((hasMark ? "?" : "") + query)
        line.fields.target = query == "-" ? path : path + "?" + query
        if targets == "object" {
          let item = shown.map { ",\"query\":\($0)" } ?? ""
          members.append(("url", #"{"path":"\#(path)"\#(item)}"#))
        } else {
          members += [(pair.0, text(path)), (pair.1, shown)]
        }
      } else {
        let request = made(.request)
        line.fields.note(.request, request)
        let target = line.fields.target ?? "/"
        method = String(request.prefix { $0 != " " })
        if targets == "request" { members.append(("request", text(request))) }
        if targets == "whole" { write(.target, target) }
        if targets == "url" { write(.target, "https://\(host)\(target)") }
      }
      if targets != "request" { write(.method, method) }
      let status = made(.status)
      line.fields.note(.status, status)
      members.append((names[.status] ?? "", isNumber ? status : text(status)))
      write(.time, made(.time))
      write(.referrer, made(.referrer))
      let agent = made(.agent)
      let isQuoted = agent != "-" && !quote.isEmpty
      write(.agent, isQuoted ? quote + agent : agent)
      if isQuoted { line.fields.agent = "\"\(agent)" }
      if hasHost, targets != "url" { write(.host, host) }
      if isServerFirst { members.append(("host", text(pick(["10.0.0.5", "web-1"])))) }
      members += [
        ("remote_addr", text("203.0.113.\(number % 250 + 1)")), ("level", text("info")),
        ("upstream", #"{"addr":"10.0.0.5:80","code":"502"}"#), ("tags", #"["a","/b"]"#),
      ]
      if order.isEmpty { order = members.indices.shuffled(using: &self) }
      let object = order.compactMap { index in
        members[index].1.map { "\"\(members[index].0)\":\($0)" }
      }.joined(separator: ",")
      line.text = prefix + (wrapper.map { "{\"\($0)\":{\(object)},\"pid\":7}" } ?? "{\(object)}")
      return line
    }
    return PermutedLog(notation: "JSON, \(targets)", lines: lines)
  }
}
