import { foundBy } from './find.ts'
import { gitInner } from './git-inner.ts'
import type { Inner, Language } from './inner.ts'
import { readOptions } from './options.ts'
import { baseName } from './programs.ts'
import { type Field, field, unknown } from './state.ts'

type Reader = (args: readonly Field[], input: string | null) => readonly Inner[]

const NONE: readonly Inner[] = []
const words = (list: readonly Field[], directory?: Field): readonly Inner[] =>
  list.length === 0 ? NONE : [{ kind: 'words', words: list, directory }]
const code = (text: Field | undefined, args: readonly Field[] = []): readonly Inner[] =>
  text === undefined ? NONE : [{ kind: 'code', language: 'shell', code: text, args }]

/** Several words that are joined to one line of shell. */
const line = (list: readonly Field[]): Field => ({
  text: list.map(({ text }) => text).join(' '),
  isKnown: list.every(({ isKnown }) => isKnown),
  isPattern: false,
})

/** Programs that run another one: their flags with a value, and how many words of their own come before it. */
const PLAIN: Readonly<Record<string, readonly [flags: string, own: number]>> = {
  sudo: ['-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --role --type', 0],
  doas: ['-u -C', 0],
  nice: ['-n --adjustment', 0],
  ionice: ['-c -n --class --classdata', 0],
  nohup: ['', 0],
  setsid: ['', 0],
  stdbuf: ['-i -o -e --input --output --error', 0],
  time: ['-f -o --format --output', 0],
  builtin: ['', 0],
  exec: ['-a', 0],
  noglob: ['', 0],
  nocorrect: ['', 0],
  timeout: ['-k -s --kill-after --signal', 1],
  gtimeout: ['-k -s --kill-after --signal', 1],
  chrt: ['-T -P -D', 1],
  taskset: ['', 1],
  chroot: ['--userspec --groups', 1],
  unshare: ['-S -G -R -w --setuid --setgid --root --wd', 0],
  nsenter: ['-t -S -G --target', 0],
  setpriv: ['--reuid --regid --groups', 0],
  fakeroot: ['-l -s -i', 0],
  proot: ['-r -b -w', 0],
  firejail: ['', 0],
  strace: ['-e -o -p -s -a -E -P -u', 0],
  ltrace: ['-e -o -p -s -a', 0],
  valgrind: ['', 0],
  catchsegv: ['', 0],
  caffeinate: ['-t -w', 0],
  'systemd-run': ['-u -p -E -d --unit --property --setenv --working-directory --uid --gid', 0],
  'systemd-inhibit': ['', 0],
  'dbus-run-session': ['', 0],
  'xvfb-run': ['-e -f -n -p -s -w', 0],
  busybox: ['', 0],
  toybox: ['', 0],
  entr: ['', 0],
  direnv: ['', 2],
  chronic: ['', 0],
  unbuffer: ['', 0],
  rlwrap: ['', 0],
  pkexec: ['--user', 0],
  gosu: ['', 1],
  'su-exec': ['', 1],
  dotenvx: ['-f', 1],
  dotenv: ['-e -f', 0],
  'cross-env': ['', 0],
}

/** Words after which the rest is another program: `uv run pytest`. */
const RUNNERS: Readonly<Record<string, string>> = {
  npx: '',
  bunx: '',
  uvx: '',
  pnpx: '',
  npm: 'exec x',
  pnpm: 'exec dlx',
  yarn: 'exec dlx',
  bun: 'x',
  uv: 'run',
  poetry: 'run',
  pipenv: 'run',
  pdm: 'run',
  hatch: 'run',
  rye: 'run',
  pixi: 'run',
  conda: 'run',
  bundle: 'exec',
  mise: 'exec x',
  asdf: 'exec',
  rein: 'diagnose',
}
const RUNNER_VALUES = new Set('-p --package -n --name --with --python --project --directory -C --cwd'.split(' '))

const ASSIGNMENT = /^[A-Za-z_]\w*=/

/** Past the flags of a wrapper, what they are given, variables, and its own words. */
function past(args: readonly Field[], flags: string, own: number): readonly Field[] {
  const withValue = new Set(flags.split(' '))
  let left = own
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? ''
    if (text === '--') return args.slice(index + 1 + left)
    if (/^-./.test(text)) index += withValue.has(text) || isBundleWithValue(text, withValue) ? 1 : 0
    else if (!ASSIGNMENT.test(text) && left-- <= 0) return args.slice(index)
  }
  return []
}

const isBundleWithValue = (text: string, withValue: ReadonlySet<string>): boolean =>
  /^-[A-Za-z]{2,}$/.test(text) && withValue.has(`-${text.at(-1) ?? ''}`)

const LANGUAGE_OF: readonly (readonly [RegExp, Language, RegExp])[] = [
  [/^(?:ba|z|da|k|mk|a|fi|rba|pdk)?sh$/, 'shell', /^-[A-Za-z]*c[A-Za-z]*$/],
  [/^(?:python|pypy|ipython)[\d.]*$/, 'python', /^-[A-Za-z]*c$/],
  [/^perl[\d.]*$/, 'perl', /^-[A-Za-z0-9]*[eE]$/],
  [/^ruby[\d.]*$/, 'ruby', /^-[A-Za-z]*e$/],
  [/^(?:node|nodejs|bun|tsx|ts-node)$/, 'node', /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^php[\d.]*$/, 'php', /^-r$/],
  [/^lua(?:jit)?[\d.]*$/, 'lua', /^-e$/],
]
const VALUE_OF_INTERPRETER = new Set(
  '-o +o -O +O --rcfile --init-file -W -X -Q -I -r --require --import --loader -m -l -C --cwd --preload --env-file'.split(
    ' ',
  ),
)

export const languageOf = (program: string): Language | null =>
  LANGUAGE_OF.find(([name]) => name.test(program))?.[1] ?? null

/** A shell or another interpreter: its code is an argument, a file or its input. */
function interpreted(program: string, args: readonly Field[]): readonly Inner[] | null {
  const entry = LANGUAGE_OF.find(([name]) => name.test(program))
  if (entry === undefined) return null
  const [, language, codeFlag] = entry
  let isCode = false
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]
    const text = arg?.text ?? ''
    if (arg === undefined || text === '-' || /^-[a-z]*s$/.test(text)) return [{ kind: 'input', language }]
    if (codeFlag.test(text)) isCode = true
    else if (/^(?:--eval|--print)=/.test(text)) return [{ kind: 'code', language, code: after(arg, '='), args: [] }]
    else if (!isCode && language === 'python' && text === '-m') return NONE
    else if (!isCode && VALUE_OF_INTERPRETER.has(text) && !(language === 'perl')) index++
    else if (!/^[-+]./.test(text) || arg.text === '--') {
      const at = text === '--' ? index + 1 : index
      const first = args[at]
      if (first === undefined) break
      const rest = args.slice(at + 1)
      return isCode
        ? [{ kind: 'code', language, code: first, args: language === 'shell' ? rest.slice(1) : rest }]
        : [{ kind: 'file', language, file: first, args: rest }]
    }
  }
  return args.some(({ text }) => text === '--version' || text === '-v' || text === '--help')
    ? NONE
    : [{ kind: 'input', language }]
}

const after = (arg: Field, mark: string): Field => ({ ...arg, text: arg.text.slice(arg.text.indexOf(mark) + 1) })

const IN_PLACE_OF_INPUT = unknown('{}')

/** What comes from its input is put behind the words, or where `-I` says. */
const xargs: Reader = (args, input) => {
  const own = past(args, '-I -n -P -L -s -d -E -a --max-args --max-procs --replace --delimiter --arg-file', 0)
  const flags = args.slice(0, args.length - own.length).map(({ text }) => text)
  const replaced = flags
    .map((text, index) => (text === '-I' ? flags[index + 1] : /^-I(.+)|^-i$/.exec(text)?.[1]))
    .find(Boolean)
  const given = input === null ? [IN_PLACE_OF_INPUT] : input.split(/\s+/).filter(Boolean).map(field)
  const base = own.length === 0 ? [field('echo')] : own
  if (replaced === undefined) return words([...base, ...given])
  const with_ = input === null ? [null] : input.split('\n').filter(Boolean)
  return with_.flatMap((text) => words(base.map((each) => filled(each, replaced, text))))
}

const filled = (each: Field, place: string, text: string | null): Field => {
  if (!each.text.includes(place)) return each
  return text === null ? { ...each, isKnown: false } : { ...each, text: each.text.replaceAll(place, text) }
}

const parallel: Reader = (args, input) => {
  const own = past(args, '-j -P -n -N -L --jobs --colsep -C --delay --timeout --joblog --results --retries -a', 0)
  const mark = own.findIndex(({ text }) => text.startsWith(':::'))
  const command = mark < 0 ? own : own.slice(0, mark)
  const given = mark < 0 ? (input?.split('\n').filter(Boolean) ?? [null]) : own.slice(mark + 1).map(({ text }) => text)
  const whole = line(command)
  if (command.length === 0) return given.flatMap((text) => code(text === null ? IN_PLACE_OF_INPUT : field(text)))
  return given.flatMap((text) =>
    code(
      whole.text.includes('{}')
        ? filled(whole, '{}', text)
        : line([...command, text === null ? IN_PLACE_OF_INPUT : field(text)]),
    ),
  )
}

const untold = (list: readonly Field[]): readonly Field[] =>
  list.map((each) => (each.text.includes('{}') ? { ...each, isKnown: false } : each))

const find: Reader = (args) => {
  const found: Inner[] = []
  for (const [index, { text }] of args.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue
    const rest = args.slice(index + 1)
    const end = rest.findIndex((each, at) => each.text === ';' || (each.text === '+' && rest[at - 1]?.text === '{}'))
    const command = end < 0 ? rest : rest.slice(0, end)
    for (const each of foundBy(args)) found.push(...words(command.map((word) => inPlace(word, each))))
  }
  return found
}

const inPlace = (word: Field, found: Field): Field => {
  if (word.text === '{}') return found
  return word.text.includes('{}') ? { ...word, isKnown: false } : word
}

const fd: Reader = (args) => {
  const at = args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text))
  return at < 0 ? NONE : words([...untold(args.slice(at + 1)), IN_PLACE_OF_INPUT])
}

const env: Reader = (args) => {
  const split = args.findIndex(({ text }) => text === '-S' || text === '--split-string')
  const bundled = args.find(({ text }) => /^(?:-[a-z]*S.|--split-string=)/.test(text))
  const rest = split < 0 ? [] : args.slice(split + 2)
  if (split >= 0) return code(line([args[split + 1] ?? field(''), ...rest]))
  if (bundled !== undefined)
    return code(
      line([
        field(bundled.text.replace(/^(?:-[a-z]*S|--split-string=)/, '')),
        ...args.slice(args.indexOf(bundled) + 1),
      ]),
    )
  const directory = readFlag(args, '-C', '--chdir')
  return words(past(args, '-u -C --unset --chdir --block-signal', 0), directory)
}

const readFlag = (args: readonly Field[], ...flags: readonly string[]): Field | undefined => {
  for (const [index, arg] of args.entries()) {
    if (flags.includes(arg.text)) return args[index + 1]
    if (flags.some((flag) => flag.startsWith('--') && arg.text.startsWith(`${flag}=`))) return after(arg, '=')
  }
  return undefined
}

/** `su root -c 'line'`, `script -c 'line'`. */
const byFlag =
  (...flags: readonly string[]): Reader =>
  (args) => {
    const bundled = args.findIndex(({ text }) => /^-[a-zA-Z]+c$/.test(text))
    return code(readFlag(args, ...flags) ?? (bundled < 0 ? undefined : args[bundled + 1]))
  }

const runuser: Reader = (args) => {
  const given = byFlag('-c', '--command', '--session-command')(args, null)
  return given.length > 0 ? given : words(past(args, '-u -g -G -s --user --group --shell', 0))
}

const flock: Reader = (args) => {
  const given = byFlag('-c', '--command')(args, null)
  return given.length > 0 ? given : words(past(args, '-w -E -c --timeout --wait', 1))
}

const joinedFrom =
  (flags: string, own: number): Reader =>
  (args) => {
    const rest = past(args, flags, own)
    return rest.length === 0 ? NONE : code(line(rest))
  }

const ssh: Reader = (args) => {
  const proxies = args.filter(({ text }) => /(?:Proxy|Local|Remote)Command=/i.test(text)).map((arg) => after(arg, '='))
  const told = joinedFrom('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w', 1)(args, null)
  return [...told, ...proxies.flatMap((each) => code(each))]
}

const docker: Reader = (args) => {
  const own = dockerOwn(args)
  const entry = readFlag(own, '--entrypoint')
  return words([...(entry === undefined ? [] : [entry]), ...args.slice(own.length)])
}

/** The words of `docker run` up to and with the image, or of `docker exec` up to the container. */
function dockerOwn(args: readonly Field[]): readonly Field[] {
  const verb = args.findIndex(({ text }) => text === 'run' || text === 'exec')
  if (verb < 0) return args
  const flags =
    '-e -v -p -w -u -h -l -m --env --env-file --volume --mount --publish --workdir --user --name --network --entrypoint --hostname --label --memory --cpus --platform --add-host --device --gpus --restart --ulimit --shm-size --pull --ip --cap-add --cap-drop --security-opt --tmpfs --dns --index'
  const rest = past(args.slice(verb + 1), flags, 1)
  return args.slice(0, args.length - rest.length)
}

const behindDashes: Reader = (args) => {
  const at = args.findIndex(({ text }) => text === '--')
  return at < 0 || !args.some(({ text }) => text === 'exec' || text === 'run' || text === 'debug')
    ? NONE
    : words(args.slice(at + 1))
}

function runner(program: string, args: readonly Field[]): readonly Inner[] {
  const verbs = (RUNNERS[program] ?? '').split(' ').filter(Boolean)
  const at = verbs.length === 0 ? 0 : args.findIndex(({ text }) => verbs.includes(text)) + 1
  if (verbs.length > 0 && at === 0) return NONE
  const rest = args.slice(at)
  const given = readFlag(rest, '-c', '--call')
  if (given !== undefined && program === 'npx') return code(given)
  return words(past(rest, [...RUNNER_VALUES].join(' '), 0))
}

const tmux: Reader = (args) => {
  const { operands } = readOptions('tmux', args)
  const isTyped = args.some(({ text }) => text === 'send-keys' || text === 'send')
  const typed = operands.filter(({ text }) => !/^(?:Enter|C-m|C-j|Space)$/.test(text))
  const last = typed.at(-1)
  if (isTyped) return code(line(typed.filter(({ text }) => text !== 'send')))
  return last === undefined || !/\s/.test(last.text) ? NONE : code(last)
}

const tar: Reader = (args) => {
  const given = args.filter(({ text }) =>
    /^--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command|info-script)=/.test(text),
  )
  return given.flatMap((arg) => code(field(arg.text.replace(/^--checkpoint-action=exec=|^--[a-z-]+=/, ''))))
}

const awk: Reader = (args) => {
  const program = past(args, '-f -v -F --file --assign --field-separator', 0)[0]
  return program === undefined || readFlag(args, '-f', '--file') !== undefined
    ? NONE
    : [{ kind: 'code', language: 'awk', code: program, args: [] }]
}

/** GNU sed runs what stands behind `e`. */
const sed: Reader = (args) =>
  args.flatMap(({ text }) => {
    const run = /^\s*(?:\d+|\$)?\s*e\s+(.+)$/.exec(text)?.[1]
    return run === undefined ? [] : code(field(run))
  })

const vim: Reader = (args) =>
  args.flatMap(({ text }) => {
    const run = /^\+?:?(?:silent\s+|sil\s+)?!(.+)$/.exec(text)?.[1]
    return run === undefined ? [] : code(field(run))
  })

const command: Reader = (args) => (args.some(({ text }) => /^-[pvV]*[vV]/.test(text)) ? NONE : words(past(args, '', 0)))
const evaluated: Reader = (args) =>
  args.length === 0 ? NONE : code(line(args[0]?.text === '--' ? args.slice(1) : args))
const sourced: Reader = (args) => {
  const [first, ...rest] = args
  return first === undefined ? NONE : [{ kind: 'file', language: 'shell', file: first, args: rest }]
}
const trap: Reader = (args) => {
  const [first] = args.filter(({ text }) => text !== '--')
  return first === undefined || /^-?$|^-[lp]$/.test(first.text) ? NONE : code(first)
}
const fromInput: Reader = () => [{ kind: 'input', language: 'shell' }]
const crontab: Reader = (args) => (args.some(({ text }) => text === '-') ? fromInput(args, null) : NONE)
const byRsh: Reader = (args) => code(readFlag(args, '-e', '--rsh', '--rsync-path'))

const SPECIAL: Readonly<Record<string, Reader>> = {
  xargs,
  gxargs: xargs,
  parallel,
  find,
  gfind: find,
  fd,
  fdfind: fd,
  env,
  genv: env,
  su: byFlag('-c', '--command'),
  script: byFlag('-c', '--command'),
  runuser,
  sg: byFlag('-c'),
  flock,
  watch: joinedFrom('-n --interval', 0),
  ssh,
  docker,
  podman: docker,
  'docker-compose': docker,
  kubectl: behindDashes,
  oc: behindDashes,
  'nix-shell': byFlag('--run', '--command'),
  nix: byFlag('-c', '--command'),
  tmux,
  screen: (args) => words(past(args, '-S -t -h -c -e', 0)),
  tar,
  gtar: tar,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sed,
  gsed: sed,
  vim,
  vi: vim,
  nvim: vim,
  ex: vim,
  command,
  eval: evaluated,
  source: sourced,
  '.': sourced,
  trap,
  at: fromInput,
  batch: fromInput,
  crontab,
  rsync: byRsh,
  git: gitInner,
}

/** What a program runs besides itself, from its words and, where it is known, its input. */
export function innerOf(program: string, args: readonly Field[], input: string | null): readonly Inner[] {
  if (Object.hasOwn(SPECIAL, program)) return SPECIAL[program]?.(args, input) ?? NONE
  const plain = Object.hasOwn(PLAIN, program) ? PLAIN[program] : undefined
  if (plain !== undefined) return words(past(args, plain[0], plain[1]))
  if (/^ld(?:-linux.*)?\.so/.test(baseName(program))) return words(past(args, '--library-path --preload', 0))
  const code_ = interpreted(program, args)
  if (code_ !== null) return code_
  return Object.hasOwn(RUNNERS, program) ? runner(program, args) : NONE
}
