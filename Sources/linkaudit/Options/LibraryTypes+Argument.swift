public import ArgumentParser
public import LinkAuditing
public import UniversalLinks

// The libraries know nothing of command lines.
extension Finding.Severity: ExpressibleByArgument {}
extension OperatingSystem: ExpressibleByArgument {}
