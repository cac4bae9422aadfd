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
