internal import ArgumentParser

/// The store that a command is about, which the command line or the configuration names.
struct NamedStoreOptions: ParsableArguments {
  @OptionGroup(title: RequiredOptions.title)
  var storeOptions: StoreOptions

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  /// Takes from the configuration what the command line leaves out, and checks all of it.
  ///
  /// - Throws: `ValidationError` if something doesn't hold.
  mutating func check() throws {
    storeOptions.apply(try configurationOptions.load())
    try storeOptions.check()
  }
}
