/// What the outputs for `SampleFacts.diagnosis()` are, to the letter.
enum Golden {}
