//! The `twofold` binary.

fn main() {}
