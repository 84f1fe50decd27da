import { flatten, type SimpleCommand } from '../../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../../base/shell/programs.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { taskOf } from '../book/task.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** What fetches, makes or starts something that was missing. */
const VERBS = words(
  'install i ci add get sync fetch pull download restore update upgrade init setup prepare create generate gen codegen build compile rebuild tidy vendor migrate migration migrations makemigrations up start enable use allow link lock venv config',
)
/** After these come names of things, which mean nothing. */
const TAKES_NAMES = words('install i add get fetch pull use create config')
const PROGRAMS = words('mkdir touch createdb source . export protoc autoreconf configure cmake virtualenv ln')
/** What undoes, ends or shows to others. */
const UNDOES = words(
  'reset drop down downgrade rollback undo revert delete destroy remove rm purge wipe nuke erase fresh clean clear prune flush truncate kill stop uninstall unlink teardown terminate deploy publish release push upload ship promote submit send',
)
/** What they change is on no machine of one's own. */
const REMOTE = words(
  'gh glab hub aws gcloud az doctl kubectl oc helm terraform tofu pulumi fly flyctl heroku vercel netlify wrangler supabase firebase ssh scp rsync ansible curl wget',
)
const INTERPRETERS = /^(?:python[\d.]*|node|bash|sh|zsh|ruby|perl|php|bun|deno|tsx)$/
const FRAMEWORK = /(?:^|\/)(?:manage\.py|artisan)$/
const IDLE = words('cd echo true sleep pwd ls')
const MOST_VERB_WORDS = 4

/** Each command of a line; null if it does more than run one after the other. */
export function chainOf(text: string): readonly SimpleCommand[] | null {
  const { core } = trimming(text)
  const pieces = flatten(core)
  if (/`|\$\(|[<>]\(/.test(core)) return null
  if (pieces.some((piece) => 'joint' in piece && piece.joint !== '&&' && piece.joint !== ';')) return null
  const commands = pieces.flatMap((piece) => ('command' in piece ? [piece.command] : []))
  return commands.some(writes) ? null : commands
}

const writes = ({ redirects }: SimpleCommand): boolean =>
  redirects.some(({ operator, target }) => operator !== '>&' && target?.value !== '/dev/null')

/**
 * Whether a line is of a kind that puts right what was missing, and of no other: what helped by chance may do harm.
 * `isGated`: a hook of the project decides whether the failed command may be done; then what checks is missing, too.
 */
export function repairs(text: string, isGated = false): boolean {
  const commands = chainOf(text)
    ?.map(callOf)
    .filter(([program = '']) => !IDLE.has(program))
  return commands !== undefined && commands.length > 0 && commands.every((call) => repairsOne(call, isGated))
}

/** For one of a chain: it does nothing, or repairs. */
export const isHarmless = (command: SimpleCommand): boolean => {
  const call = callOf(command)
  return IDLE.has(call[0] ?? '') || repairsOne(call, false)
}

const callOf = (command: SimpleCommand): readonly string[] => {
  const values = command.words.map(({ value }) => value)
  return values.slice(programIndex(values))
}

function repairsOne(call: readonly string[], isGated: boolean): boolean {
  const task = taskOf(call)
  if (task === null) return repairsByName(call)
  if (undoes(call.slice(0, task.head))) return false
  if (isGated) return true
  if (task.purpose === 'test') return false
  if (task.purpose === 'run') return call.some((word) => word === '-d' || word === '--detach')
  // What the project itself has a name for is what its people do.
  return task.purpose !== 'lint' || call.some((word) => /^--(?:fix|write)/.test(word))
}

function repairsByName(call: readonly string[]): boolean {
  const program = baseName(call[0] ?? '')
  if (REMOTE.has(program) || (INTERPRETERS.test(program) && !isModule(call))) return false
  if (program === 'cp') return /\.(?:example|sample|template|dist)\b/.test(call[1] ?? '')
  if (program === 'chmod') return call[1] === '+x'
  const plain = call.filter((word, index) => index > 0 && !word.startsWith('-'))
  const at = plain.slice(0, MOST_VERB_WORDS).findIndex((word) => partsOf(word).some((part) => VERBS.has(part)))
  if (at < 0) return PROGRAMS.has(program) && !undoes(plain)
  return !undoes(TAKES_NAMES.has(plain[at] ?? '') ? plain.slice(0, at + 1) : plain)
}

/** `python -m venv`, `python manage.py migrate`. */
const isModule = (call: readonly string[]): boolean => call[1] === '-m' || FRAMEWORK.test(call[1] ?? '')

/** `db:reset` and `dbReset` have the same parts. */
const partsOf = (word: string): readonly string[] =>
  word.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase())

const undoes = (named: readonly string[]): boolean =>
  named.some((word) => word !== 'clean-install' && partsOf(word).some((part) => UNDOES.has(part)))
