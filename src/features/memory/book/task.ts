import { baseName } from '../../../base/shell/programs.ts'
import { findPurpose, type Purpose, subcommands, targetRunners, tools } from './purposes.ts'

/** The purpose of a command for its project, whichever program does it: `npm test` and `pnpm test` are the same task. */
export interface Task {
  readonly key: string
  /** How many of the words name it; the rest is flags and operands. */
  readonly head: number
  readonly purpose: Purpose
}

/** Programs that only start another one, the longest first. */
const launchers =
  'docker compose exec, docker compose run, docker-compose exec, docker-compose run, pnpm exec, pnpm dlx, yarn exec, yarn dlx, bun x, uv run, poetry run, pdm run, pipenv run, hatch run, rye run, pixi run, bundle exec, mise exec, mise x, python -m, python3 -m, npx, bunx, uvx'
    .split(', ')
    .map((launcher) => launcher.split(' '))
const flagsWithValue = new Set(
  '--filter -F -w --workspace --prefix -C --dir --cwd -f --file --extra --with --group --python -p --package --directory --project -u --user --env'.split(
    ' ',
  ),
)
const assignment = /^[A-Za-z_]\w*=/
const mostLaunchers = 3
const ownScript = /^(?:\.\/)?(?:[\w.-]+\/)*(?:(?:bin|scripts?|tools|hack|ci)\/[\w-]+|[\w.-]+\.(?:sh|bash|mjs|py))$/

const scriptRunners = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const installVerbs = new Set(['install', 'i', 'ci', 'clean-install'])
const npmScripts: Readonly<Record<string, string>> = { test: 'test', t: 'test', tst: 'test', start: 'start' }
/** Commands of `pnpm` and `yarn` themselves; any other word is a script. */
const ownVerbs = new Set(
  'add remove rm update up upgrade why list ls outdated audit publish pack link unlink init create config store prune rebuild view info version cache login logout whoami import patch dedupe env set plugin workspaces node npm deploy fetch approve-builds self-update'.split(
    ' ',
  ),
)
const sameProgram: Readonly<Record<string, string>> = {
  gradlew: 'gradle',
  mvnw: 'mvn',
  gmake: 'make',
  'py.test': 'pytest',
}

const isFlag = (word: string): boolean => word.startsWith('-')
const isName = (word: string): boolean => /^[A-Za-z][\w:./-]*$/.test(word)

/** Null for commands that are no work on the project: looking around, git, files. */
export const taskOf = (words: readonly string[]): Task | null => {
  const start = skipLaunchers(words)
  const own = words.slice(start)
  const name = baseName(own[0] ?? '')
  const program = sameProgram[name] ?? name
  const task = findScript(program, own) ?? findTarget(program, own) ?? findVerb(program, own) ?? findTool(program, own)
  return task === null ? null : { ...task, head: task.head + start }
}

const skipLaunchers = (words: readonly string[]): number => {
  let start = words.findIndex((word) => !assignment.test(word))
  if (start < 0) start = words.length
  for (let count = 0; count < mostLaunchers; count++) {
    const launcher = launchers.find((names) =>
      names.every((name, index) => (index === 0 ? baseName(words[start] ?? '') : words[start + index]) === name),
    )
    if (launcher === undefined) break
    // The name of a service stands before the command that runs in it.
    const isService = launcher[0]?.startsWith('docker') === true
    const next = skipFlags(words, start + launcher.length) + (isService ? 1 : 0)
    if (next >= words.length) break
    start = next
  }
  return start
}

const skipFlags = (words: readonly string[], start: number): number => {
  let index = start
  while (words[index]?.startsWith('-') === true) index += flagsWithValue.has(words[index] ?? '') ? 2 : 1
  return index
}

/** Scripts of package.json, whichever program runs them. */
const findScript = (program: string, words: readonly string[]): Task | null => {
  if (!scriptRunners.has(program)) return null
  const verbAt = words[1] === 'workspace' ? 3 : skipFlags(words, 1)
  const scope = words.slice(1, verbAt).join(' ')
  const verb = words[verbAt]
  const makeInstall = (head: number): Task => ({ key: `js ${scope} install`, head, purpose: 'install' })
  const makeScript = (at: number, name = words[at]): Task | null =>
    name === undefined || !isName(name)
      ? null
      : { key: `js ${scope} ${name}`, head: at + 1, purpose: findPurpose(name) ?? 'other' }
  if (verb === undefined) return program === 'yarn' && scope === '' ? makeInstall(verbAt) : null
  if (installVerbs.has(verb)) return words.slice(verbAt + 1).every(isFlag) ? makeInstall(verbAt + 1) : null
  if (verb === 'run' || verb === 'run-script') return makeScript(skipFlags(words, verbAt + 1))
  if (program === 'npm') return verb in npmScripts ? makeScript(verbAt, npmScripts[verb]) : null
  return program === 'bun' || ownVerbs.has(verb) ? null : makeScript(verbAt)
}

/** Targets that the project names: `make lint`, `mise run test`, `./gradlew :app:test`, `scripts/build.sh`. */
const findTarget = (program: string, words: readonly string[]): Task | null => {
  if (program === 'mise') return words[1] === 'run' || words[1] === 'r' ? readTarget('mise', words, 2, null) : null
  if (program === 'cmake') return words.includes('--build') ? { key: 'cmake --build', head: 1, purpose: 'build' } : null
  const usual = targetRunners.get(program)
  if (usual !== undefined) return readTarget(program, words, words[1] === 'run' ? 2 : 1, usual)
  const at = program === 'bash' || program === 'sh' ? 1 : 0
  const file = words[at] ?? ''
  const purpose = ownScript.test(file) ? findPurpose(baseName(file).replace(/\.\w+$/, '')) : undefined
  return purpose === undefined ? null : { key: `script ${file.replace(/^\.\//, '')}`, head: at + 1, purpose }
}

const readTarget = (program: string, words: readonly string[], from: number, usual: Purpose | null): Task | null => {
  const at = words.findIndex((word, index) => index >= from && !isFlag(word) && !assignment.test(word))
  const name = at < 0 ? '' : (words[at] ?? '')
  const isDirectory = at > 0 && flagsWithValue.has(words[at - 1] ?? '') && program === 'make'
  if (isDirectory) return readTarget(program, words, at + 1, usual)
  if (name === '') return usual === null ? null : { key: program, head: words.length, purpose: usual }
  if (!/^[A-Za-z:][\w:./-]*$/.test(name)) return null
  const directory = words
    .slice(1, at)
    .filter((word) => !isFlag(word))
    .join(' ')
  const purpose = findPurpose(name) ?? (usual === 'test' ? usual : 'other')
  return { key: `${program} ${directory} ${name}`, head: at + 1, purpose }
}

/** Subcommands: `cargo test`, `docker compose up`, `pip install -r x`, `python manage.py test`, `php artisan serve`. */
const findVerb = (program: string, words: readonly string[]): Task | null => {
  const isCompose = program === 'docker' && words[1] === 'compose'
  const verbs = subcommands.get(isCompose ? 'docker compose' : program)
  if (verbs !== undefined) {
    const at = words.findIndex((word, index) => index > (isCompose ? 1 : 0) && !isFlag(word) && !word.startsWith('+'))
    const verb = words[at] ?? ''
    const purpose = verbs.get(verb)
    const name = isCompose ? 'docker-compose' : program
    return purpose === undefined ? null : { key: `${name} ${verb}`, head: at + 1, purpose }
  }
  if (/^pip3?$/.test(program) && words[1] === 'install' && /^(?:-r|-e|\.)/.test(words[2] ?? ''))
    return { key: 'pip install', head: 2, purpose: 'install' }
  const at = words.findIndex((word, index) => index < 2 && /(?:^|\/)(?:manage\.py|artisan)$/.test(word))
  const name = words[at + 1]
  const purpose = at < 0 || name === undefined ? undefined : findPurpose(name)
  return purpose === undefined ? null : { key: `${baseName(words[at] ?? '')} ${name}`, head: at + 2, purpose }
}

const findTool = (program: string, words: readonly string[]): Task | null => {
  if (program === 'node' && words[1] === '--test') return { key: 'node --test', head: 2, purpose: 'test' }
  const compiles = words.includes('--noEmit') ? 'lint' : 'build'
  const purpose = program === 'tsc' ? compiles : tools.get(program)
  return purpose === undefined ? null : { key: `${program} ${purpose}`, head: 1, purpose }
}
