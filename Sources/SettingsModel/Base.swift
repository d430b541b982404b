// Identities, times and failures are part of the model's vocabulary: whoever imports the model may name them.
@_exported public import Base
