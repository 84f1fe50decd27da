/** Rein as a user gets it: packed as for npm, and installed from that on a machine without compilers. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const repository = join(import.meta.dirname, '../..')
/** An install that needs one of these fails. */
const builders = /^(cc|gcc|g\+\+|c\+\+|clang.*|make|gmake|cmake|ninja|python.*|node-gyp|rein|.*-gcc.*|.*-g\+\+.*)$/

export type Env = Record<string, string>

export interface Installed {
  root: string
  home: string
  /** The directory of the installed package. */
  package: string
  env: Env
  npm(args: string[]): Promise<string>
}

/** A directory with all programs of the PATH but those that compile. */
const linkPrograms = (bin: string): void => linkProgramsBut(builders, bin)

/** A directory to be a PATH on which these programs are missing, and what npm adds to the PATH of a script. */
export const linkProgramsBut = (missing: RegExp, bin: string): void => {
  mkdirSync(bin)
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  for (const directory of directories.filter((one) => existsSync(one) && !one.endsWith('node_modules/.bin')))
    for (const name of readdirSync(directory).filter((one) => !missing.test(one) && !existsSync(join(bin, one))))
      symlinkSync(join(directory, name), join(bin, name))
}

/** npm keeps what it has in the cache of this user; where that has all of it, nothing is fetched. */
const readCache = async (): Promise<string> =>
  (await promisify(execFile)('npm', ['config', 'get', 'cache'], { cwd: repository })).stdout.trim()

/** Packs this repository as it is built, and installs that into an empty prefix, with an empty home. */
export const installPacked = async (atTheEnd: (clean: () => void) => void): Promise<Installed> => {
  const root = mkdtempSync(join(tmpdir(), 'rein-packed-'))
  atTheEnd(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const [home, bin, prefix] = ['home', 'bin', 'prefix'].map((name) => join(root, name)) as [string, string, string]
  mkdirSync(home)
  linkPrograms(bin)
  const cache = await readCache()
  const env: Env = {
    ...(process.env as Env),
    HOME: home,
    PATH: [join(prefix, 'bin'), bin].join(delimiter),
    npm_config_cache: cache,
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(process.env['HOME'] ?? '', '.npmrc'),
    npm_config_prefix: prefix,
    npm_config_update_notifier: 'false',
  }
  for (const name of Object.keys(env).filter((one) => /^(REIN|CLAUDE|XDG|VITEST|NODE_OPTIONS$|TMUX)/.test(one)))
    Reflect.deleteProperty(env, name)
  const npm = async (args: string[]): Promise<string> =>
    (await promisify(execFile)('npm', args, { cwd: home, env, maxBuffer: 64 * 1024 * 1024 })).stdout
  const packed = await npm(['pack', repository, '--ignore-scripts', '--json', '--pack-destination', root])
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await npm(['install', '--global', ...flags, join(root, filename)])
  return { root, home, package: join(prefix, 'lib/node_modules/rein'), env, npm }
}
