#if Configuration
    public import Configuration
    public import SettingsKit
    import SettingsModel

    /// A store as a provider of swift-configuration: an option's key is the configuration's key, and its value the one in force.
    ///
    ///     let settings = try await Settings.open("/etc/shop/settings")
    ///     let config = ConfigReader(providers: [EnvironmentVariablesProvider(), SettingsProvider(settings)])
    ///     let port = config.int(forKey: "http.port", default: 8080)
    ///
    /// Values come from memory; `fetchValue` does not look for newer ones either, because a version is known as soon as the branch has
    /// moved. A text that is masked is a secret. Bytes are read from texts in base64. Where the value of an option is of another
    /// type than the one asked for, or its file can't be read and never could be, reading throws a `SettingsError`.
    public struct SettingsProvider: ConfigProvider {
        public let providerName: String
        private let settings: Settings

        /// `name` is for reports of who read what.
        public init(_ settings: Settings, named name: String = "SettingsProvider") {
            self.settings = settings
            providerName = name
        }

        public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            try settings.snapshot.lookup(key, as: type)
        }

        public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
            try value(forKey: key, type: type)
        }

        /// The first update is what this reading gives now. The others differ from the one before; of changes in quick succession,
        /// only the last may come.
        public func watchValue<Return: ~Copyable>(
            forKey key: AbsoluteConfigKey, type: ConfigType,
            updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
        ) async throws -> Return {
            let readings = settings.readings { snapshot in
                Result { () throws(SettingsError) in try snapshot.lookup(key, as: type) }
            }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(readings.map { $0.mapError { $0 as any Error } }))
        }

        public func snapshot() -> any ConfigSnapshot {
            Snapshot(providerName: providerName, snapshot: settings.snapshot)
        }

        public func watchSnapshot<Return: ~Copyable>(
            updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
        ) async throws -> Return {
            let snapshots = settings.snapshots().map { [providerName] in
                Snapshot(providerName: providerName, snapshot: $0) as any ConfigSnapshot
            }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots))
        }

        /// One version.
        private struct Snapshot: ConfigSnapshot {
            let providerName: String
            let snapshot: SettingsSnapshot

            func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
                try snapshot.lookup(key, as: type)
            }
        }
    }

    extension SettingsSnapshot {
        fileprivate func lookup(_ configKey: AbsoluteConfigKey, as type: ConfigType) throws(SettingsError) -> LookupResult {
            let name = configKey.components.joined(separator: ".")
            // What can't be a key is the key of no option.
            guard let key = try? Key(parts: configKey.components) else { return LookupResult(encodedKey: name, value: nil) }
            do throws(SettingsError) {
                let content = try content(of: key, as: type)
                let isSecret = options[key]?.isMasked ?? false
                return LookupResult(encodedKey: name, value: content.map { ConfigValue($0, isSecret: isSecret) })
            } catch  where error.kind == .missing {
                return LookupResult(encodedKey: name, value: nil)
            }
        }

        private func content(of key: Key, as type: ConfigType) throws(SettingsError) -> ConfigContent? {
            switch type {
            case .string: try value(key).map { .string($0) }
            case .int: try value(key).map { .int($0) }
            case .double: try value(key).map { .double($0) }
            case .bool: try value(key).map { .bool($0) }
            case .bytes: try value(key, as: Bytes.self).map { .bytes($0.bytes) }
            case .stringArray: try value(key).map { .stringArray($0) }
            case .intArray: try value(key).map { .intArray($0) }
            case .doubleArray: try value(key).map { .doubleArray($0) }
            case .boolArray: try value(key).map { .boolArray($0) }
            case .byteChunkArray: try value(key, as: [Bytes].self).map { .byteChunkArray($0.map(\.bytes)) }
            }
        }
    }

    /// A text in base64.
    private struct Bytes: SettingsValue {
        let text: String
        let bytes: [UInt8]

        init?(json: JSON) {
            guard let text = String(json: json), let bytes = ConfigBytesFromBase64StringDecoder.base64.decode(text) else {
                return nil
            }
            (self.text, self.bytes) = (text, bytes)
        }

        var json: JSON { .string(text) }
    }
#endif
