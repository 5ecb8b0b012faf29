//! The program `hexmate`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    hexmate::main()
}
