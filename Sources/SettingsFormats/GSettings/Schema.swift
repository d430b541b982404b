import SettingsModel

/// A GSettings schema with its keys as options.
struct Schema {
    var id: String
    var note: SchemaNote
    var file: String
    var line: Int
    /// The keys in file order; inherited ones come first.
    private(set) var keys: [Key] = []
    private var places: [String: Int] = [:]
    /// Its own defaults for keys of the schema that it extends.
    var overrides: [Override] = []

    struct Key {
        var name: String
        var option: SettingsOption
        var line: Int
    }

    struct Override {
        var name: String
        var element: XMLElement
    }

    /// The location to report in a repair.
    struct Place {
        var id: String
        var file: String
    }

    var place: Place { Place(id: id, file: file) }

    init(id: String, note: SchemaNote, file: String, line: Int) {
        self.id = id
        self.note = note
        self.file = file
        self.line = line
    }

    subscript(name: String) -> Key? {
        get { places[name].map { keys[$0] } }
        set {
            guard let newValue else { return }
            if let place = places[name] {
                keys[place] = newValue
            } else {
                places[name] = keys.count
                keys.append(newValue)
            }
        }
    }

    /// Adds the keys of `base` before its own.
    mutating func inherit(from base: Schema) {
        let own = keys
        keys = []
        places = [:]
        for var key in base.keys {
            var note = KeyNote(key.option)
            note.isInherited = true
            note.schemaDefault = nil
            note.desktops = []
            key.option.other["gsettings"] = note.json
            self[key.name] = key
        }
        for key in own { self[key.name] = key }
    }
}
