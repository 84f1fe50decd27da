import path from 'node:path'

/** Everything that decides where Rein keeps its files. */
export interface PathSource {
  env: Record<string, string | undefined>
  homedir: string
  platform: NodeJS.Platform
  uid: number
}

/** Absolute paths; all but `config` and `runtime` lie in a directory that survives a reboot. */
export interface ReinPaths {
  state: string
  runtime: string
  /** The user's config.toml. */
  config: string
  socket: string
  /** The socket on which every turn is broadcast. */
  output: string
  /** The running daemon: in the state directory, so that a shell without XDG_RUNTIME_DIR finds it, too. */
  registration: string
  lock: string
  database: string
  log: string
  /** Hook calls that could not be delivered while the daemon was away. */
  spool: string
  /** Commands that people's shells have recorded. */
  shells: string
  /** The guard rules that hooks use while no daemon answers. */
  guards: string
  /** Plugin directories given to agents at launch. */
  plugins: string
  /** Loopback port and token, kept across restarts. */
  endpoint: string
}

/** A path that cannot be used, and what to change. */
export class PathError extends Error {
  readonly code: 'path_not_absolute' | 'path_too_long'
  readonly hint: string

  constructor(code: PathError['code'], message: string, hint: string) {
    super(message)
    this.name = 'PathError'
    this.code = code
    this.hint = hint
  }
}

interface Root {
  dir: string
  /** The variable that put it there. */
  variable: string
}

export const reinPaths = (source: PathSource): ReinPaths => {
  const home = source.env['REIN_HOME']
  const state = home ? { dir: absolute(home, 'REIN_HOME'), variable: 'REIN_HOME' } : xdg(source, 'STATE')
  const session = home ? undefined : sessionRuntime(source)
  const runtime: Root = session ?? { dir: path.join(state.dir, 'run'), variable: state.variable }
  const config = home ? state : xdg(source, 'CONFIG')
  const inState = (name: string): string => path.join(state.dir, name)
  return {
    state: state.dir,
    runtime: runtime.dir,
    config: path.join(config.dir, 'config.toml'),
    socket: socketPath(runtime, 'rein.sock', source.platform),
    output: socketPath(runtime, 'output.sock', source.platform),
    registration: inState('daemon.json'),
    lock: inState('daemon.lock'),
    database: inState('rein.db'),
    log: inState('logs/rein.log'),
    spool: inState('spool'),
    shells: inState('shells'),
    guards: inState('guards'),
    plugins: inState('plugins'),
    endpoint: inState('endpoint.json'),
  }
}

/** The log file of the daemon: in the state directory, unless the setting `log.file` says otherwise. */
export const logFileOf = ({ state, log }: ReinPaths, chosen: string | null): string =>
  chosen === null ? log : path.resolve(state, chosen)

const xdgFallback = { STATE: '.local/state', CONFIG: '.config' } as const

/** The XDG rules: an empty or relative value counts as not set. */
const xdg = ({ env, homedir }: PathSource, kind: keyof typeof xdgFallback): Root => {
  const variable = `XDG_${kind}_HOME`
  const value = env[variable]
  if (value && path.isAbsolute(value)) return { dir: path.join(value, 'rein'), variable }
  return { dir: path.join(absolute(homedir, 'HOME'), xdgFallback[kind], 'rein'), variable: 'HOME' }
}

/** The runtime directory of the login session; one of another user, left over from `su` or `sudo -E`, is not used. */
const sessionRuntime = ({ env, uid }: PathSource): Root | undefined => {
  const value = env['XDG_RUNTIME_DIR']
  if (!value || !path.isAbsolute(value)) return undefined
  const owner = /^\/run\/user\/(\d+)\/?$/.exec(value)?.[1]
  if (owner !== undefined && Number(owner) !== uid) return undefined
  return { dir: path.join(value, 'rein'), variable: 'XDG_RUNTIME_DIR' }
}

const absolute = (value: string, variable: string): string => {
  if (path.isAbsolute(value)) return path.resolve(value)
  const hint = `Set it to a path that begins with a slash: export ${variable}=/PATH`
  throw new PathError('path_not_absolute', `${variable} must be an absolute path, but is "${value}".`, hint)
}

/** The kernel cuts or refuses longer socket addresses. */
const socketPath = (runtime: Root, name: string, platform: NodeJS.Platform): string => {
  const limit = platform === 'darwin' ? 103 : 107
  const socket = path.join(runtime.dir, name)
  const length = Buffer.byteLength(socket)
  if (length <= limit) return socket
  const message = `${runtime.variable} leads to a socket path that is too long: ${socket} has ${length} bytes, and ${limit} are possible.`
  throw new PathError('path_too_long', message, 'Choose a shorter directory: export REIN_HOME="$HOME/.rein"')
}
