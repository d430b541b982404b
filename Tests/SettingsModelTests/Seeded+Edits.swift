@testable import SettingsModel
import Seeds

/// Random edits, as people make them.
extension Seeded {
    /// Adds, removes, renames or moves a label, or changes its value, except the one with the value `keeping`.
    mutating func edit(_ labels: inout Labels, keeping: JSON? = nil) {
        let removable = labels.map(\.value).filter { $0 != keeping }
        switch int(10) {
        case 0...2:
            let value = chance(50) ? JSON.string("new-\(int(20))") : scalar()
            guard labels.label(of: value) == nil else { return }
            labels.insert(ChoiceLabel(value: value, text: chance(70) ? "New \(int(20))" : text()), at: int(labels.count + 1))
        case 3, 4: if !removable.isEmpty { labels.remove(pick(removable)) }
        case 5, 6:
            if let label = labels.randomElement(using: &self) {
                labels.rename(label.value, to: chance(60) ? "Name \(int(9))" : text())
            }
        case 7, 8: if let label = labels.randomElement(using: &self) { labels.move(label.value, to: int(labels.count)) }
        default:
            guard !removable.isEmpty else { return }
            let old = pick(removable)
            let value = scalar()
            guard labels.label(of: value) == nil else { return }
            labels = Labels(
                labels.map { $0.value == old ? ChoiceLabel(value: value, text: $0.text, long: $0.long) : $0 },
                writesValues: labels.writesValues
            )
        }
    }

    /// A valid option that differs by one edit.
    mutating func edited(_ option: SettingsOption) -> SettingsOption {
        var edited = option
        switch int(14) {
        case 0: edited.title = text()
        case 1: edited.help = chance(70) ? text() : nil
        case 2: edited.other[text()] = json()
        case 3: edited.other["readOnly"] = chance(50) ? .bool(true) : nil
        case 4: edited.defaultValue = value(of: option)
        case 5: edited = self.option()
        case 6...8: edited.value = value(of: option)
        case 9 where option.type == .number:
            edited.range = SettingsOption.Range(minimum: chance(50) ? number() : nil, maximum: chance(50) ? number() : nil)
        default:
            guard option.type == .choice else {
                edited.value = value(of: option)
                break
            }
            edit(&edited.labels)
            if let value = edited.value, edited.labels.label(of: value) == nil { edited.value = self.value(of: edited) }
            if let value = edited.defaultValue, edited.labels.label(of: value) == nil { edited.defaultValue = nil }
        }
        return edited.faults().isEmpty ? edited : option
    }

    mutating func value(of option: SettingsOption) -> JSON? {
        if chance(10) { return nil }
        switch option.type {
        case .choice: return option.labels.randomElement(using: &self)?.value
        case .switch: return chance(50) ? option.offOn.on : option.offOn.off
        case .number: return .number(number())
        case .text: return .string(text())
        case .data:
            let value = json()
            return value.isNull ? nil : value
        }
    }

    mutating func edited(_ group: SettingsGroup) -> SettingsGroup {
        var edited = group
        switch int(5) {
        case 0: edited.title = chance(80) ? text() : nil
        case 1: edited.style = chance(70) ? pick(SettingsGroup.Style.allCases) : nil
        case 2: edited.footer = chance(70) ? text() : nil
        case 3: edited.other[text()] = json()
        default:
            var labels = Labels((edited.order ?? []).map { ChoiceLabel(value: .string($0), text: $0) })
            switch int(3) {
            case 0:
                let name = text()
                if labels.label(of: .string(name)) == nil {
                    labels.insert(ChoiceLabel(value: .string(name), text: name), at: int(labels.count + 1))
                }
            case 1: if let label = labels.randomElement(using: &self) { labels.remove(label.value) }
            default: if let label = labels.randomElement(using: &self) { labels.move(label.value, to: int(labels.count)) }
            }
            edited.order = chance(95) ? labels.map(\.text) : nil
        }
        return edited
    }

    mutating func edited(_ definition: StoreDefinition) -> StoreDefinition {
        var edited = definition
        switch int(4) {
        case 0: edited.title = chance(80) ? text() : nil
        case 1: edited.policy.why = pick(StoreDefinition.Demand.allCases)
        case 2: edited.policy.other["reviewers"] = chance(70) ? json() : nil
        default: edited.other[text()] = json()
        }
        return edited
    }

    /// Edits the settings `count` times: changes, adds or removes an item.
    mutating func edited(_ settings: SettingsContent, _ count: Int) -> SettingsContent {
        var settings = settings
        for _ in 0..<count {
            if chance(15) {
                let key = pick(Seeded.optionKeys)
                settings.options[key] = settings.options[key] == nil ? option() : nil
            } else if chance(10) {
                let key = pick(Seeded.groupKeys)
                settings.groups[key] = settings.groups[key] == nil ? group() : nil
            } else if let subject = settings.subjects.sorted().randomElement(using: &self) {
                switch settings[subject] {
                case .option(let option)?: settings[subject] = .option(edited(option))
                case .group(let group)?: settings[subject] = .group(edited(group))
                case .store(let definition)?: settings[subject] = .store(edited(definition))
                case nil: break
                }
            }
        }
        return settings
    }

    /// Renames of options and groups, which are also applied to `settings`.
    mutating func renames(in settings: inout SettingsContent, _ count: Int) -> [(old: Subject, new: Subject)] {
        var renames: [(old: Subject, new: Subject)] = []
        for _ in 0..<count {
            let isGroup = chance(40)
            let old =
                isGroup
                ? settings.allGroups.subtracting([.root]).sorted().randomElement(using: &self).map { Subject.group($0) }
                : settings.options.keys.sorted().randomElement(using: &self).map { Subject.option($0) }
            let names = isGroup ? ["g", "n", "k.n", "g.h", "m"] : ["a", "c", "g.c", "g.a", "n.a", "m.b"]
            let new = Seeded.key(pick(names))
            guard let old else { continue }
            let rename: (old: Subject, new: Subject) = (old, isGroup ? .group(new) : .option(new))
            guard settings.canRename(rename.old, to: rename.new) else { continue }
            settings.rename(rename.old, to: rename.new)
            renames.append(rename)
        }
        return renames
    }
}
