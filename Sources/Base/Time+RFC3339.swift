extension Time {
    /// Reads what `rfc3339` writes: `2026-11-20T18:00:00+01:00`, or with `Z`. Nil for anything else.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 || bytes.count == 25 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            return value
        }
        for (place, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] where bytes[place] != mark.utf8.first {
            return nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60, second < 60
        else { return nil }
        var parts = CalendarTime(year: year, month: month, day: day)
        guard year > 0, parts.isDate else { return nil }
        (parts.hour, parts.minute, parts.second) = (hour, minute, second)
        var offset = 0
        if bytes.count == 20 {
            guard bytes[19] == UInt8(ascii: "Z") else { return nil }
        } else {
            guard bytes[19] == UInt8(ascii: "+") || bytes[19] == UInt8(ascii: "-"), bytes[22] == UInt8(ascii: ":"),
                let hours = number(20..<22), let minutes = number(23..<25), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[19] == UInt8(ascii: "-") ? -1 : 1)
        }
        self.init(seconds: parts.seconds - Int64(offset) * 60, offset: offset)
    }
}
