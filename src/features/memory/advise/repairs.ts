import { flatten, type SimpleCommand } from '../../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../../base/shell/programs.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { taskOf } from '../book/task.ts'

const listWords = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Verbs that fetch, make or start something that was missing. */
const repairVerbs = listWords(
  'install i ci add get sync fetch pull download restore update upgrade init setup prepare create generate gen codegen build compile rebuild tidy vendor migrate migration migrations makemigrations up start enable use allow link lock venv config',
)
/** The words after these are names, which mean nothing. */
const verbsWithNames = listWords('install i add get fetch pull use create config')
const repairPrograms = listWords('mkdir touch createdb source . export protoc autoreconf configure cmake virtualenv ln')
/** Words of commands that undo, end or publish something. */
const undoWords = listWords(
  'reset drop down downgrade rollback undo revert delete destroy remove rm purge wipe nuke erase fresh clean clear prune flush truncate kill stop uninstall unlink teardown terminate deploy publish release push upload ship promote submit send',
)
/** Programs that change something on other machines. */
const remotePrograms = listWords(
  'gh glab hub aws gcloud az doctl kubectl oc helm terraform tofu pulumi fly flyctl heroku vercel netlify wrangler supabase firebase ssh scp rsync ansible curl wget',
)
const interpreter = /^(?:python[\d.]*|node|bash|sh|zsh|ruby|perl|php|bun|deno|tsx)$/
const framework = /(?:^|\/)(?:manage\.py|artisan)$/
const idlePrograms = listWords('cd echo true sleep pwd ls')
const mostVerbWords = 4

/** Each command of a line; null if the line does more than run one after the other. */
export const readChain = (text: string): readonly SimpleCommand[] | null => {
  const { core } = trimming(text)
  const pieces = flatten(core)
  if (/`|\$\(|[<>]\(/.test(core)) return null
  if (pieces.some((piece) => 'joint' in piece && piece.joint !== '&&' && piece.joint !== ';')) return null
  const commands = pieces.flatMap((piece) => ('command' in piece ? [piece.command] : []))
  const writes = commands
    .flatMap(({ redirects }) => redirects)
    .some(({ operator, target }) => operator !== '>&' && target?.value !== '/dev/null')
  return writes ? null : commands
}

/**
 * Whether a line only repairs something that was missing: any other command that helped by chance may do harm.
 * `isGated`: a hook of the project decides whether the failed command may run; then a check may be missing, too.
 */
export const repairs = (text: string, isGated = false): boolean => {
  const calls = readChain(text)
    ?.map(readCall)
    .filter(([program = '']) => !idlePrograms.has(program))
  return calls !== undefined && calls.length > 0 && calls.every((call) => isRepair(call, isGated))
}

/** Whether one command of a chain does nothing, or repairs. */
export const isHarmless = (command: SimpleCommand): boolean => {
  const call = readCall(command)
  return idlePrograms.has(call[0] ?? '') || isRepair(call, false)
}

const readCall = (command: SimpleCommand): readonly string[] => {
  const values = command.words.map(({ value }) => value)
  return values.slice(programIndex(values))
}

const isRepair = (call: readonly string[], isGated: boolean): boolean => {
  const task = taskOf(call)
  if (task !== null) {
    if (undoes(call.slice(0, task.head))) return false
    if (isGated) return true
    if (task.purpose === 'test') return false
    if (task.purpose === 'run') return call.some((word) => word === '-d' || word === '--detach')
    // The project's own scripts are what its people run.
    return task.purpose !== 'lint' || call.some((word) => /^--(?:fix|write)/.test(word))
  }
  const [name = '', first = ''] = call
  const program = baseName(name)
  // `python -m venv`, `python manage.py migrate`.
  const isModule = first === '-m' || framework.test(first)
  if (remotePrograms.has(program) || (interpreter.test(program) && !isModule)) return false
  if (program === 'cp') return /\.(?:example|sample|template|dist)\b/.test(first)
  if (program === 'chmod') return first === '+x'
  const plain = call.filter((word, index) => index > 0 && !word.startsWith('-'))
  const at = plain.slice(0, mostVerbWords).findIndex((word) => splitName(word).some((part) => repairVerbs.has(part)))
  if (at < 0) return repairPrograms.has(program) && !undoes(plain)
  return !undoes(verbsWithNames.has(plain[at] ?? '') ? plain.slice(0, at + 1) : plain)
}

/** `db:reset` and `dbReset` have the same parts. */
const splitName = (word: string): readonly string[] =>
  word.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase())

const undoes = (words: readonly string[]): boolean =>
  words.some((word) => word !== 'clean-install' && splitName(word).some((part) => undoWords.has(part)))
