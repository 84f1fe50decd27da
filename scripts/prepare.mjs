// Brings a fresh machine to where Rein can be built and run. Nothing but Node itself: npm packages may be missing.
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { showProgress } from './progress.mjs'
import { capture } from './spawn.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MODULES = path.join(ROOT, 'node_modules')
const STAMP = path.join(MODULES, '.rein-installed')
/** Commands that Debian and its kin have in a package of the same name, unless PACKAGES says another. */
export const TOOLS = ['tmux', 'curl']
/** What tests use on top of that. */
export const TEST_TOOLS = ['zsh', 'fish', 'ss']
const PACKAGES = { ss: 'iproute2' }
/** Programs that tests of the page can drive, the first that is found. Debian has the package `chromium`; where it has no such package, another may be installed. */
export const BROWSERS = ['chromium', 'google-chrome', 'google-chrome-stable']

/** Ends the script with one sentence instead of a stack. */
export class CannotRun extends Error {}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new CannotRun(`needs Node 20.19 or newer; this is ${process.version}.`)
}

/** The demo needs Claude Code and what dist/ is built from, and none of these. */
const TEST_PACKAGES =
  /^(@(biomejs|github|google|openai|types)\/|axe-core|claude-code-|fast-check|http_ece|opencode-|oxlint|playwright-|typescript|vitest)/

/** Which packages npm installs. `all` adds the five agent CLIs and the tools that check and test Rein. */
const SETS = {
  demo: { label: "Rein's packages and Claude Code", flags: () => ['--save-prod', '--omit=dev', ...demoSpecs()] },
  all: { label: "Rein's packages, five agent CLIs and the test tools", flags: () => ['--include=dev'] },
}

/** npm takes the versions of named packages from the command line, not from the lock file. */
function demoSpecs() {
  const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const names = Object.keys(devDependencies).filter((name) => !TEST_PACKAGES.test(name))
  return names.map((name) => `${name}@${devDependencies[name]}`)
}

/** The lock file names no binaries of other platforms, which `npm ci` refuses; `--no-save` leaves it unchanged. */
async function npmInstall(set) {
  const args = ['install', '--no-save', '--include=optional', '--no-audit', '--no-fund', '--no-progress']
  const { code, output } = await capture('npm', [...args, '--loglevel=error', ...SETS[set].flags()], {
    cwd: ROOT,
  })
  if (code !== 0) throw new CannotRun(`\`npm install\` failed:\n${output.trim()}`)
}

/** Installs a set of packages unless a set that has them all is there. */
export async function installPackages(set) {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex')
  if ([`${lock} ${set}`, `${lock} all`].includes(readStamp())) return
  const installing = showProgress(
    `installing ${SETS[set].label} from npm`,
    () => `${installedPackages().length} packages`,
  )
  await npmInstall(set).finally(installing.stop)
  installing.done(`${installedPackages().length} packages, ${describeSizes()}`)
  writeFileSync(STAMP, `${lock} ${set}`)
}

/** The packages below node_modules; the directory of a scope holds several. */
function installedPackages() {
  return listNames(MODULES).flatMap((name) => (name.startsWith('@') ? listNames(path.join(MODULES, name)) : [name]))
}

function listNames(directory) {
  return existsSync(directory) ? readdirSync(directory).filter((name) => !name.startsWith('.')) : []
}

/** What the packages take on disk, and the size of their archives in npm's cache, which is what was downloaded. */
function describeSizes() {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
  const installed = Object.entries(packages).filter(([place]) => place !== '' && existsSync(path.join(ROOT, place)))
  const archives = installed.map(([, { integrity }]) => archiveBytes(integrity)).reduce((sum, one) => sum + one, 0)
  const disk = `${megabytes(bytesOnDisk(MODULES))} on disk`
  return archives === 0 ? disk : `${megabytes(archives)} of archives, ${disk}`
}

/** npm keeps an archive under the hash of its content. */
function archiveBytes(integrity) {
  const [, kind, hash] = /^(sha\d+)-(\S+)/.exec(integrity ?? '') ?? []
  const cache = process.env.npm_config_cache
  if (kind === undefined || cache === undefined) return 0
  const hex = Buffer.from(hash, 'base64').toString('hex')
  const file = path.join(cache, '_cacache/content-v2', kind, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4))
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** A file with two names counts once. */
function bytesOnDisk(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const stats = entries.map((entry) => statSync(path.join(entry.parentPath, entry.name)))
  return [...new Map(stats.map((stat) => [stat.ino, stat.size])).values()].reduce((sum, size) => sum + size, 0)
}

const megabytes = (bytes) => `${Math.round(bytes / 1_000_000)} MB`

function readStamp() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return ''
  }
}

function isOnPath(command) {
  return (process.env.PATH ?? '').split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export const hasBrowser = () => BROWSERS.some(isOnPath)

/** Without a browser, the page is tested in a weaker form: the run names it, so a machine without the package still tests. */
export async function installBrowser() {
  if (hasBrowser()) return
  await installTools([BROWSERS[0]]).catch((error) => {
    if (!(error instanceof CannotRun)) throw error
  })
}

/** How this user may run apt-get; nothing if not at all. */
async function aptGet() {
  if (!isOnPath('apt-get')) return undefined
  const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  if (process.getuid() === 0) return command
  const maySudo = isOnPath('sudo') && (await capture('sudo', ['-n', 'true'])).code === 0
  return maySudo ? ['sudo', '-n', ...command] : undefined
}

/** Installs what is missing; stops where this user may not. */
export async function ensureTools(tools) {
  const missing = await installTools(tools)
  if (missing.length > 0)
    throw new CannotRun(`needs ${missing.join(' and ')}: install ${missing.length > 1 ? 'them' : 'it'} and try again.`)
}

/** Installs what is missing with apt-get, where this user may; returns what is still missing. */
export async function installTools(tools) {
  const missing = tools.filter((command) => !isOnPath(command))
  if (missing.length === 0) return []
  const [command, ...args] = (await aptGet()) ?? []
  if (!command) return missing
  const installing = showProgress(`installing ${missing.join(' ')} with apt-get`)
  await capture(command, [...args, 'update'])
  const packages = missing.map((tool) => PACKAGES[tool] ?? tool)
  const { code, output } = await capture(command, [...args, 'install', '-y', '--no-install-recommends', ...packages])
  installing.stop()
  if (code !== 0) throw new CannotRun(`apt-get could not install ${missing.join(' ')}:\n${output.trim()}`)
  installing.done()
  return []
}
