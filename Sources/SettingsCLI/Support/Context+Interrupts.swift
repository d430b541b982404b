import Files

extension Context {
    /// Does what starts git. A signal that would end this program ends git first, and what belongs to it is removed.
    func interruptibly<Value>(_ work: () throws -> Value) throws -> Value {
        Interrupts.note()
        let result = Result { try work() }
        Interrupts.forget()
        guard let signal = Interrupts.signal else { return try result.get() }
        output.finish()
        ThisProcess.end(bySignal: signal)
    }
}
