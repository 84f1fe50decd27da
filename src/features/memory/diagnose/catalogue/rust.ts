import type { KnownFailure } from './known.ts'

export const rust: readonly KnownFailure[] = [
  {
    name: 'cargo-no-manifest',
    output: [/could not find `Cargo\.toml` in `(?<path>[^`\n]+)`/],
    means: 'There is no Cargo.toml here or above: the command belongs into another directory.',
    run: ['git ls-files "*Cargo.toml"'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output: 'error: could not find `Cargo.toml` in `/srv/app` or any parent directory',
    },
  },
  {
    name: 'cargo-lock-old',
    output: [/--(?:locked|frozen) was passed to prevent this/],
    means: 'Cargo.toml was changed after Cargo.lock was written.',
    run: ['cargo update --workspace', 'git diff --stat Cargo.lock'],
    sample: {
      command: 'cargo build --locked',
      exit: 101,
      output: 'error: the lock file /srv/app/Cargo.lock needs to be updated but --locked was passed to prevent this',
    },
  },
  {
    name: 'rust-crate-missing',
    output: [
      /error\[E043[23]\]: (?:unresolved import `(?<crate>\w+)|failed to resolve: use of (?:undeclared crate or module|unresolved module or unlinked crate) `(?<module>\w+)`)/,
    ],
    means: 'The code uses a crate or module that is not declared.',
    run: ['cargo tree --depth 1', 'cargo add --dry-run {crate}'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output:
        'error[E0432]: unresolved import `serde`\n --> src/main.rs:1:5\n  |\n1 | use serde::X;\n  |     ^^^^^ use of unresolved module or unlinked crate `serde`',
    },
  },
  {
    name: 'cargo-package-unknown',
    output: [
      /error: no matching package named `(?<crate>[\w-]+)` found/,
      /error: failed to select a version for (?:the requirement )?`(?<crate>[\w-]+)/,
    ],
    means: 'Cargo finds no version of {crate} that fits: misspelt, offline, or two dependencies exclude each other.',
    run: ['cargo search {crate}', 'cargo tree -i {crate}'],
    sample: {
      command: 'cargo build --offline',
      exit: 101,
      output:
        'error: no matching package named `serde` found\nlocation searched: crates.io index\nrequired by package `x v0.1.0 (/srv/app)`',
    },
  },
  {
    name: 'rust-linker',
    output: [/error: linker `(?<linker>[\w.-]+)` not found/],
    means: 'Rust needs the linker {linker} of a C compiler, which is not installed.',
    run: ['command -v {linker} gcc clang'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output:
        'error: linker `cc` not found\n  |\n  = note: No such file or directory (os error 2)\n\nerror: could not compile `libc` (build script) due to 1 previous error',
    },
  },
  {
    name: 'rust-native-library',
    output: [
      /The system library `(?<library>[\w.+-]+)` required by crate `(?<crate>[\w-]+)` was not found|Could not find directory of OpenSSL installation|The pkg-config command could not be (?:found|run)/,
    ],
    means: 'A crate needs a library of the system whose development files are not installed.',
    run: ['pkg-config --list-all', 'pkg-config --modversion {library}'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output:
        'error: failed to run custom build command for `alsa-sys v0.3.1`\n  The system library `alsa` required by crate `alsa-sys` was not found.\n  The file `alsa.pc` needs to be installed',
    },
  },
  {
    name: 'rust-toolchain-missing',
    output: [
      /error: toolchain '(?<toolchain>[\w.-]+)' is not installed/,
      /error: the '(?<component>[\w-]+)' (?:component|binary).* is not (?:installed|applicable)/,
      /error\[E0463\]: can't find crate for `(?:std|core)`/,
      /'cargo-(?<tool>fmt|clippy)' is not installed for the toolchain/,
    ],
    means: 'The toolchain, component or target that this build asks for is not installed.',
    run: ['rustup show', 'rustup toolchain list'],
    sample: { command: 'cargo +nightly fmt', exit: 1, output: "error: toolchain 'nightly' is not installed" },
  },
  {
    name: 'rust-version',
    output: [
      /(?:package|crate) `?(?<crate>[\w-]+)(?: v[\d.]+|@[\d.]+)?`? (?:cannot be built because it )?requires rustc (?<version>[\d.]+)/,
      /rustc [\d.]+ is not supported by the following packages?/,
    ],
    means: 'A crate wants a newer Rust than the one that runs.',
    run: ['rustc --version', 'rustup show'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output:
        'error: package `home v0.5.11` cannot be built because it requires rustc 1.81 or newer, while the currently active rustc version is 1.76.0',
    },
  },
  {
    name: 'cargo-command-missing',
    output: [/error: no such (?:sub)?command: `(?<command>[\w-]+)`/],
    means: 'There is no `cargo {command}`: an extension of that name is not installed.',
    run: ['cargo --list', 'cargo search cargo-{command}'],
    sample: {
      command: 'cargo nextest run',
      exit: 101,
      output: 'error: no such command: `nextest`\n\nhelp: view all installed commands with `cargo --list`',
    },
  },
  {
    name: 'cargo-target-unknown',
    output: [
      /error: no (?<kind>bin|test|example|bench) target named `(?<name>[\w-]+)`/,
      /error: package ID specification `(?<name>[\w-]+)` did not match any packages/,
    ],
    means: 'There is no such target or package {name} in this workspace.',
    run: ['cargo metadata --no-deps --format-version 1'],
    sample: {
      command: 'cargo test --test nope',
      exit: 101,
      output: 'error: no test target named `nope` in default-run packages',
    },
  },
  {
    name: 'rust-compile-error',
    output: [
      /^error\[(?<code>E\d{4})\]: .*\n\s*--> (?<file>[^\s:]+):(?<line>\d+)/m,
      /^error: could not compile `(?<crate>[\w-]+)`/m,
    ],
    vague: true,
    means: 'The code does not compile; the first error is the one to look at.',
    run: ['rustc --explain {code}', 'cargo check'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output:
        'error[E0308]: mismatched types\n --> src/main.rs:1:25\n  |\n1 | fn main(){ let x: i32 = "a"; }\n  |                         ^^^ expected `i32`, found `&str`\n\nerror: could not compile `x` (bin "x") due to 1 previous error',
    },
  },
]
