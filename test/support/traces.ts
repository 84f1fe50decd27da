/** What a run of tests must not leave on a machine: a CLI whose home is not its test's own writes into another one. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const ofHomes = [
  '.claude',
  '.claude.json',
  '.codex',
  '.copilot',
  '.gemini',
  '.config/opencode',
  '.config/rein',
  '.local/share/opencode',
  '.local/state/rein',
]

/** Everything in the root directory, and what the CLIs and Rein keep in a home, as far as it is there. */
export const tracesIn = (root: string, home: string): string[] =>
  [...readdirSync(root).map((name) => join(root, name)), ...ofHomes.map((name) => join(home, name))].filter((path) =>
    existsSync(path),
  )
