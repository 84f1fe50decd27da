import { homedir } from 'node:os'
import path from 'node:path'
import type { Reach } from '../../contract/outputs/replay.ts'
import { changedFiles, inputSummary } from '../../contract/tool-input.ts'
import type { Driver } from '../../drivers/contract.ts'
import { flatten, type SimpleCommand } from '../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../base/shell/programs.ts'
import type { RecordedCall } from './recorded-turn.ts'

/** Where the recorded work was done. */
export interface Workplace {
  root: string
  cwd: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const elevating = words('sudo doas su pkexec')
/** Programs that reach out whatever they are asked to do, by what they reach. */
const reaching: readonly (readonly [does: string, programs: ReadonlySet<string>])[] = [
  [
    'uses the network',
    words(
      'curl wget ssh scp sftp rsync nc ncat netcat socat telnet ftp ping dig nslookup docker docker-compose podman nerdctl ' +
        'kubectl helm terraform tofu pulumi ansible ansible-playbook gh glab aws gcloud az fly flyctl vercel netlify heroku ' +
        'npx bunx uvx pipx brew apt apt-get dnf yum apk pacman snap flatpak mail sendmail',
    ),
  ],
  ['reaches other processes', words('kill pkill killall killall5 skill fuser renice tmux screen wall')],
  [
    'changes what this machine runs',
    words(
      'systemctl systemd-run service rc-service initctl launchctl loginctl supervisorctl pm2 crontab at batch atrm ' +
        'shutdown reboot halt poweroff mount umount sysctl dbus-send gdbus busctl osascript open xdg-open',
    ),
  ],
  [
    'uses a database',
    words(
      'psql pg_dump pg_restore pg_ctl createdb dropdb createuser dropuser mysql mysqldump mysqladmin mariadb redis-cli ' +
        'valkey-cli mongo mongosh mongodump mongorestore cqlsh sqlcmd sqlplus clickhouse-client cockroach etcdctl influx',
    ),
  ],
]
/** Programs that reach out with some of their subcommands only. */
const sometimes: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words('push pull fetch clone ls-remote submodule'),
  npm: words('install i ci publish update add'),
  pnpm: words('install i publish update add'),
  yarn: words('install publish upgrade add'),
  pip: words('install download'),
  pip3: words('install download'),
  uv: words('add sync pip'),
  cargo: words('install publish update'),
  go: words('get install'),
  gem: words('install push'),
}
/** Programs that run another one, which stands somewhere among their words. */
const carriers = words('xargs parallel find watch eval')
const shells = words('sh bash dash zsh ksh')
const webTools = /^Web(?:Fetch|Search)$|web_search|fetch/i

/** Why a call reaches out of the tree; null if nothing says so. It is told by what is written, not by what would happen. */
export const reachOf = (driver: Driver, call: RecordedCall, place: Workplace): Omit<Reach, 'turn'> | null => {
  const shell = driver.shell.call(call.name, call.input)
  const why =
    shell === null ? toolReach(call, place) : commandReach(shell.command, { ...place, cwd: shell.cwd ?? place.cwd })
  return why === null ? null : { what: `${call.name}: ${shell?.command ?? inputSummary(call.input)}`, why }
}

const toolReach = ({ name, input }: RecordedCall, place: Workplace): string | null => {
  if (webTools.test(name)) return 'it uses the network'
  if (name.startsWith('mcp__') && !name.startsWith('mcp__rein__')) return 'it calls an MCP server'
  const file = changedFiles(name, input).find((one) => isOutside(one, place))
  return file === undefined ? null : `it writes ${file}`
}

const commandReach = (command: string, place: Workplace): string | null => {
  for (const piece of flatten(command)) {
    const why = 'command' in piece ? simpleReach(piece.command, place) : null
    if (why !== null) return why
  }
  return null
}

const simpleReach = ({ words: given, redirects, assignments }: SimpleCommand, place: Workplace): string | null => {
  const values = given.map(({ value }) => value)
  const elevated = values.find((word) => elevating.has(baseName(word)))
  if (elevated !== undefined) return `it uses ${elevated}`
  const own = values.slice(programIndex(values))
  const told = programReach(own) ?? scriptReach(own, place)
  if (told !== null) return told
  const paths = [
    ...own.slice(1),
    ...redirects.flatMap(({ target }) => target?.value ?? []),
    ...assignments.map(valueOf),
  ]
  const outside = paths.flatMap(pathIn).find((one) => isOutside(one, place))
  return outside === undefined ? null : `it names ${outside}`
}

const programReach = (own: readonly string[]): string | null => {
  const program = baseName(own[0] ?? '')
  for (const name of carriers.has(program) ? own.slice(1).map(baseName) : [program]) {
    const [does] = reaching.find(([, programs]) => programs.has(name)) ?? []
    if (does !== undefined) return `${name} ${does}`
  }
  return own.slice(1).some((word) => sometimes[program]?.has(word)) ? `${program} uses the network` : null
}

/** What a shell is given as text. */
const scriptReach = (own: readonly string[], place: Workplace): string | null => {
  const at = shells.has(baseName(own[0] ?? '')) ? own.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1
  return at < 0 ? null : commandReach(own[at + 1] ?? '', place)
}

const valueOf = ({ value }: { value: string }): string => value.slice(value.indexOf('=') + 1)

/** A word that is a path which could lead out: absolute, in the home, or upwards. */
const pathIn = (word: string): string[] => {
  const value = word.replace(/^--?[\w-]+=/, '').replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, homedir())
  return value.startsWith('/') || /(?:^|\/)\.\.(?:\/|$)/.test(value) ? [value] : []
}

const harmless = /^\/dev\/(?:null|stdin|stdout|stderr|tty|u?random|zero|fd\/\d+)$/

const isOutside = (file: string, { root, cwd }: Workplace): boolean => {
  const full = path.resolve(cwd, file)
  return full !== root && !full.startsWith(`${root}/`) && !harmless.test(full)
}
