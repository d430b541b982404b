import SettingsModel

extension EnvFormat {
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree { try tree(of: bytes, in: file).0 }

    /// All values are texts.
    static func readBack(_ value: JSON) -> JSON {
        switch value {
        case .bool, .number: .string(ExactText(value.compact))
        case .null, .string, .array, .object: value
        }
    }

    /// A name without a value stays while its option is unset.
    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        guard case .object(let members) = wanted.root, case .object(let old) = present.root else { return bytes }
        var edits = FileEdits(bytes)
        let variables = try EnvReader.variables(of: bytes, in: "the file")
        /// The existing variables by name; of duplicates the last one counts.
        let places = Dictionary(grouping: variables.indices) { variables[$0].name }
        var before: EnvReader.Variable?
        var faults: [Refusal] = []
        func word(_ member: JSON.Member, for variable: EnvReader.Variable) -> String {
            do throws(Refusal) { return try EnvFormat.word(member, like: Array(bytes[variable.range])) } catch {
                var fault = error
                fault.position = BadFile.Position(line: variable.line, column: 1)
                faults.append(fault)
                return ""
            }
        }
        for step in MemberStep.steps(from: old.map(\.name), to: members) {
            switch step {
            case .keep(let member):
                guard let indices = places[member.name], let last = indices.last else { continue }
                let variable = variables[last]
                if present.root[member.name] != member.value {
                    if member.value.isNull {
                        for index in indices { edits.removeLines(variables[index].start..<variables[index].range.upperBound) }
                    } else {
                        let word = word(member, for: variable)
                        edits.replace(variable.range, by: variable.value == nil ? "=" + word : word)
                    }
                }
                before = variable
            case .remove(let name):
                for index in places[name] ?? [] {
                    edits.removeLines(variables[index].start..<variables[index].range.upperBound)
                }
            case .insert(let member):
                if member.value.isNull { continue }
                let export = (before ?? variables.first)?.isExported == true ? "export " : ""
                let offset = before.map { edits.nextLine(after: $0.range.upperBound) } ?? bytes.count
                do throws(Refusal) { edits.insertLines(export + (try line(member)), at: offset) } catch { faults.append(error) }
            }
        }
        if let refusal = Refusal.joined(faults) { throw refusal }
        return edits.applied()
    }

    static func line(of names: [ExactText], in bytes: [UInt8]) -> Int? {
        (try? EnvReader.variables(of: bytes, in: ""))?.last { [$0.name] == names }?.line
    }
}
