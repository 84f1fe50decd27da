import { homedir } from 'node:os'
import path from 'node:path'
import type { Reach } from '../../contract/outputs/replay.ts'
import { changedFiles, inputSummary } from '../../contract/tool-input.ts'
import type { Driver } from '../../drivers/contract.ts'
import { flatten, type SimpleCommand } from '../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../base/shell/programs.ts'
import type { RecordedCall } from './recorded-turn.ts'

/** The directories of the recorded work. */
interface Workplace {
  root: string
  cwd: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const elevating = words('sudo doas su pkexec')
/** Programs that always reach out, by what they reach. */
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
/** Programs that run another one, named somewhere in their arguments. */
const carriers = words('xargs parallel find watch eval')
const shells = words('sh bash dash zsh ksh')
const webTools = /^Web(?:Fetch|Search)$|web_search|fetch/i

/** Why a call reaches out of the tree, judged by its text alone; null if nothing says so. */
export const reachOf = (driver: Driver, call: RecordedCall, place: Workplace): Omit<Reach, 'turn'> | null => {
  const { name, input } = call
  const shell = driver.shell.call(name, input)
  const what = `${name}: ${shell?.command ?? inputSummary(input)}`
  let why: string | null = null
  if (shell !== null) why = findReach(shell.command, { ...place, cwd: shell.cwd ?? place.cwd })
  else if (webTools.test(name)) why = 'it uses the network'
  else if (name.startsWith('mcp__') && !name.startsWith('mcp__rein__')) why = 'it calls an MCP server'
  else {
    const file = changedFiles(name, input).find((one) => isOutside(one, place))
    if (file !== undefined) why = `it writes ${file}`
  }
  return why === null ? null : { what, why }
}

const findReach = (command: string, place: Workplace): string | null => {
  for (const piece of flatten(command)) {
    const why = 'command' in piece ? findCommandReach(piece.command, place) : null
    if (why !== null) return why
  }
  return null
}

const findCommandReach = ({ words: given, redirects, assignments }: SimpleCommand, place: Workplace): string | null => {
  const values = given.map(({ value }) => value)
  const elevated = values.find((word) => elevating.has(baseName(word)))
  if (elevated !== undefined) return `it uses ${elevated}`
  const own = values.slice(programIndex(values))
  const program = baseName(own[0] ?? '')
  for (const name of carriers.has(program) ? own.slice(1).map(baseName) : [program]) {
    const [does] = reaching.find(([, programs]) => programs.has(name)) ?? []
    if (does !== undefined) return `${name} ${does}`
  }
  if (own.slice(1).some((word) => sometimes[program]?.has(word))) return `${program} uses the network`
  const flagAt = shells.has(program) ? own.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1
  const inScript = flagAt < 0 ? null : findReach(own[flagAt + 1] ?? '', place)
  if (inScript !== null) return inScript
  const named = [
    ...own.slice(1),
    ...redirects.flatMap(({ target }) => target?.value ?? []),
    ...assignments.map(({ value }) => value.slice(value.indexOf('=') + 1)),
  ].map((word) => word.replace(/^--?[\w-]+=/, '').replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, homedir()))
  // Only an absolute path, or one that goes up, can lead out of the tree.
  const paths = named.filter((value) => value.startsWith('/') || /(?:^|\/)\.\.(?:\/|$)/.test(value))
  const outside = paths.find((one) => isOutside(one, place))
  return outside === undefined ? null : `it names ${outside}`
}

const harmless = /^\/dev\/(?:null|stdin|stdout|stderr|tty|u?random|zero|fd\/\d+)$/

const isOutside = (file: string, { root, cwd }: Workplace): boolean => {
  const full = path.resolve(cwd, file)
  return full !== root && !full.startsWith(`${root}/`) && !harmless.test(full)
}
