#!/usr/bin/env node
// CommonJS and nothing loaded but `fs`: `rein --version` costs what `node -e 0` costs.
const fs = require('node:fs')

const root = `${__dirname}/..`
const oldestNode = [20, 19]
const firstWithCompileCache = [22, 1]

function fail(sentence) {
  process.stderr.write(`rein: ${sentence}\n`)
  process.exitCode = 1
}

function isNodeOlderThan([wantedMajor, wantedMinor]) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
}

/** Compiled code is executed, so it is kept in the user's own directory and not in the shared temp one. */
function keepCompiledCode() {
  const { REIN_HOME, XDG_CACHE_HOME, HOME } = process.env
  const home = REIN_HOME || (XDG_CACHE_HOME || HOME ? `${XDG_CACHE_HOME || `${HOME}/.cache`}/rein` : undefined)
  if (isNodeOlderThan(firstWithCompileCache) || !home) return
  try {
    // The daemon refuses a directory of its own that others may look into.
    fs.mkdirSync(home, { recursive: true, mode: 0o700 })
    require('node:module').enableCompileCache(`${home}/compiled`)
  } catch {
    // Without a place for it, the code is compiled each time.
  }
}

if (['--version', '-V', '-v'].includes(process.argv[2])) {
  fs.writeSync(1, `${JSON.parse(fs.readFileSync(`${root}/package.json`, 'utf8')).version}\n`)
} else if (isNodeOlderThan(oldestNode)) {
  fail(
    `needs Node ${oldestNode.join('.')} or newer (22.13 is best); this is ${process.version}. Get one: https://nodejs.org`,
  )
} else if (!fs.existsSync(`${root}/dist/cli.cjs`)) {
  fail(`${root}/dist is missing. In a clone run: npm run build. Else install Rein again (docs/install.md).`)
} else {
  keepCompiledCode()
  require('../dist/cli.cjs')
}
