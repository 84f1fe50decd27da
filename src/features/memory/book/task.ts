import { baseName } from '../../../base/shell/programs.ts'
import { type Purpose, purposeOfName, SUBCOMMANDS, TARGETS, TOOLS } from './purposes.ts'

/** What a command does for its project, whoever is told to do it: `npm test` and `pnpm test` are the same task. */
export interface Task {
  readonly key: string
  /** How many of the words say it; the rest is flags and operands. */
  readonly head: number
  readonly purpose: Purpose
}

/** Programs that only start another one, the longest first. */
const LAUNCHERS = [
  'docker compose exec',
  'docker compose run',
  'docker-compose exec',
  'docker-compose run',
  'pnpm exec',
  'pnpm dlx',
  'yarn exec',
  'yarn dlx',
  'bun x',
  'uv run',
  'poetry run',
  'pdm run',
  'pipenv run',
  'hatch run',
  'rye run',
  'pixi run',
  'bundle exec',
  'mise exec',
  'mise x',
  'python -m',
  'python3 -m',
  'npx',
  'bunx',
  'uvx',
].map((launcher) => launcher.split(' '))
const WITH_VALUE = new Set(
  '--filter -F -w --workspace --prefix -C --dir --cwd -f --file --extra --with --group --python -p --package --directory --project -u --user --env'.split(
    ' ',
  ),
)
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const MOST_LAUNCHERS = 3

const SCRIPT_RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const INSTALLS = new Set(['install', 'i', 'ci', 'clean-install'])
const NPM_SCRIPTS: Readonly<Record<string, string>> = { test: 'test', t: 'test', tst: 'test', start: 'start' }
/** What `pnpm` and `yarn` do themselves; any other word is a script. */
const OWN_VERBS = new Set(
  'add remove rm update up upgrade why list ls outdated audit publish pack link unlink init create config store prune rebuild view info version cache login logout whoami import patch dedupe env set plugin workspaces node npm deploy fetch approve-builds self-update'.split(
    ' ',
  ),
)
const SAME_PROGRAM: Readonly<Record<string, string>> = {
  gradlew: 'gradle',
  mvnw: 'mvn',
  gmake: 'make',
  'py.test': 'pytest',
}

/** Nothing for what is no work on the project: looking around, git, files. */
export function taskOf(words: readonly string[]): Task | null {
  const start = programAt(words)
  const own = words.slice(start)
  const program = SAME_PROGRAM[baseName(own[0] ?? '')] ?? baseName(own[0] ?? '')
  const task = scriptOf(program, own) ?? targetOf(program, own) ?? verbOf(program, own) ?? toolOf(program, own)
  return task === null ? null : { ...task, head: task.head + start }
}

function programAt(words: readonly string[]): number {
  let index = 0
  while (ASSIGNMENT.test(words[index] ?? '')) index += 1
  for (let count = 0; count < MOST_LAUNCHERS; count++) {
    const past = pastLauncher(words, index)
    if (past === index || past >= words.length) break
    index = past
  }
  return index
}

function pastLauncher(words: readonly string[], start: number): number {
  const launcher = LAUNCHERS.find((names) =>
    names.every((name, index) => (index === 0 ? baseName(words[start] ?? '') : words[start + index]) === name),
  )
  if (launcher === undefined) return start
  const index = pastFlags(words, start + launcher.length)
  // The name of a service stands before what is run in it.
  return launcher[0]?.startsWith('docker') === true ? index + 1 : index
}

function pastFlags(words: readonly string[], start: number): number {
  let index = start
  while (words[index]?.startsWith('-') === true) index += WITH_VALUE.has(words[index] ?? '') ? 2 : 1
  return index
}

/** Scripts of package.json, by whatever runs them. */
function scriptOf(program: string, words: readonly string[]): Task | null {
  if (!SCRIPT_RUNNERS.has(program)) return null
  const verbAt = words[1] === 'workspace' ? 3 : pastFlags(words, 1)
  const scope = words.slice(1, verbAt).join(' ')
  const verb = words[verbAt]
  if (verb === undefined) return program === 'yarn' && scope === '' ? install(scope, verbAt) : null
  if (INSTALLS.has(verb)) return words.slice(verbAt + 1).every(isFlag) ? install(scope, verbAt + 1) : null
  if (verb === 'run' || verb === 'run-script') return script(scope, words, pastFlags(words, verbAt + 1))
  if (program === 'npm') return verb in NPM_SCRIPTS ? script(scope, words, verbAt, NPM_SCRIPTS[verb]) : null
  if (program === 'bun') return null
  return OWN_VERBS.has(verb) || !isName(verb) ? null : script(scope, words, verbAt)
}

const install = (scope: string, head: number): Task => ({ key: `js ${scope} install`, head, purpose: 'install' })

function script(scope: string, words: readonly string[], at: number, name = words[at]): Task | null {
  if (name === undefined || !isName(name)) return null
  return { key: `js ${scope} ${name}`, head: at + 1, purpose: purposeOfName(name) ?? 'other' }
}

const isFlag = (word: string): boolean => word.startsWith('-')
const isName = (word: string): boolean => /^[A-Za-z][\w:./-]*$/.test(word)

/** Targets that the project names: `make lint`, `mise run test`, `./gradlew :app:test`, `scripts/build.sh`. */
function targetOf(program: string, words: readonly string[]): Task | null {
  if (program === 'mise') return words[1] === 'run' || words[1] === 'r' ? target('mise', words, 2, null) : null
  if (program === 'cmake') return words.includes('--build') ? { key: 'cmake --build', head: 1, purpose: 'build' } : null
  const usual = TARGETS[program]
  if (usual !== undefined) return target(program, words, words[1] === 'run' ? 2 : 1, usual)
  return ownScriptOf(program, words)
}

function target(program: string, words: readonly string[], from: number, usual: Purpose | null): Task | null {
  const at = words.findIndex((word, index) => index >= from && !isFlag(word) && !ASSIGNMENT.test(word))
  const name = at < 0 ? '' : (words[at] ?? '')
  const isDirectory = at > 0 && WITH_VALUE.has(words[at - 1] ?? '') && program === 'make'
  if (isDirectory) return target(program, words, at + 1, usual)
  if (name === '') return usual === null ? null : { key: program, head: words.length, purpose: usual }
  if (!/^[A-Za-z:][\w:./-]*$/.test(name)) return null
  const inDirectory = words
    .slice(1, at)
    .filter((word) => !isFlag(word))
    .join(' ')
  return {
    key: `${program} ${inDirectory} ${name}`,
    head: at + 1,
    purpose: purposeOfName(name) ?? (usual === 'test' ? usual : 'other'),
  }
}

const OWN_SCRIPT = /^(?:\.\/)?(?:[\w.-]+\/)*(?:(?:bin|scripts?|tools|hack|ci)\/[\w-]+|[\w.-]+\.(?:sh|bash|mjs|py))$/

/** A script of the project itself is told by its name. */
function ownScriptOf(program: string, words: readonly string[]): Task | null {
  const at = program === 'bash' || program === 'sh' ? 1 : 0
  const file = words[at] ?? ''
  if (!OWN_SCRIPT.test(file)) return null
  const purpose = purposeOfName(baseName(file).replace(/\.\w+$/, ''))
  return purpose === undefined ? null : { key: `script ${file.replace(/^\.\//, '')}`, head: at + 1, purpose }
}

function verbOf(program: string, words: readonly string[]): Task | null {
  const isCompose = program === 'docker' && words[1] === 'compose'
  const verbs = SUBCOMMANDS[isCompose ? 'docker compose' : program]
  if (verbs === undefined) return pipInstall(program, words) ?? framework(words)
  const at = words.findIndex((word, index) => index > (isCompose ? 1 : 0) && !isFlag(word) && !word.startsWith('+'))
  const verb = words[at] ?? ''
  const purpose = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return purpose === undefined
    ? null
    : { key: `${isCompose ? 'docker-compose' : program} ${verb}`, head: at + 1, purpose }
}

const pipInstall = (program: string, words: readonly string[]): Task | null =>
  (program === 'pip' || program === 'pip3') && words[1] === 'install' && /^(?:-r|-e|\.)/.test(words[2] ?? '')
    ? { key: 'pip install', head: 2, purpose: 'install' }
    : null

/** `python manage.py test`, `php artisan serve`. */
function framework(words: readonly string[]): Task | null {
  const at = words.findIndex((word, index) => index < 2 && /(?:^|\/)(?:manage\.py|artisan)$/.test(word))
  const name = words[at + 1]
  const purpose = at < 0 || name === undefined ? undefined : purposeOfName(name)
  return purpose === undefined ? null : { key: `${baseName(words[at] ?? '')} ${name}`, head: at + 2, purpose }
}

function toolOf(program: string, words: readonly string[]): Task | null {
  if (program === 'tsc') return tool(program, words.includes('--noEmit') ? 'lint' : 'build')
  if (program === 'node' && words[1] === '--test') return { key: 'node --test', head: 2, purpose: 'test' }
  const purpose = TOOLS.get(program)
  return purpose === undefined ? null : tool(program, purpose)
}

const tool = (program: string, purpose: Purpose): Task => ({ key: `${program} ${purpose}`, head: 1, purpose })
