import { gitInner } from './git-inner.ts'
import { after, code, type Inner, type InnerReader, line, NONE, past, readFlag, words } from './inner.ts'
import { awk, interpreted, sed, vim } from './interpreters.ts'
import { readOptions } from './options.ts'
import { byRunner, plainly } from './plain-wrappers.ts'
import { fd, find, parallel, xargs } from './spreaders.ts'
import type { WorkBudget } from '../util/work-budget.ts'
import { type Field, field } from './state.ts'

const ENV_VALUES = '-u -C --unset --chdir --block-signal'

/** `env` has blanks of its own. */
const asWords = (given: Field): Field => ({ ...given, text: given.text.replaceAll(/\\[_tnfv]/g, ' ') })

const env: InnerReader = (args) => {
  const split = args.findIndex(({ text }) => /^(?:-[a-z]*S|--split-string)$/.test(text))
  const bundled = args.find(({ text }) => /^(?:-[a-z]*S.|--split-string=)/.test(text))
  const rest = split < 0 ? [] : args.slice(split + 2)
  if (split >= 0) return code(line([asWords(args[split + 1] ?? field('')), ...rest]))
  if (bundled !== undefined)
    return code(
      line([
        asWords(field(bundled.text.replace(/^(?:-[a-z]*S|--split-string=)/, ''))),
        ...args.slice(args.indexOf(bundled) + 1),
      ]),
    )
  const directory = readFlag(args, '-C', '--chdir')
  const own = past(args, ENV_VALUES, 0)
  // A dash alone empties the environment.
  return words(own[0]?.text === '-' ? past(own.slice(1), ENV_VALUES, 0) : own, directory)
}

/** `su root -c 'line'`, `script -c 'line'`. */
const byFlag =
  (...flags: readonly string[]): InnerReader =>
  (args) => {
    const bundled = args.findIndex(({ text }) => /^-[a-zA-Z]+c$/.test(text))
    return code(readFlag(args, ...flags) ?? (bundled < 0 ? undefined : args[bundled + 1]))
  }

const joinedFrom =
  (flags: string, own: number): InnerReader =>
  (args) => {
    const rest = past(args, flags, own)
    return rest.length === 0 ? NONE : code(line(rest))
  }

const docker: InnerReader = (args) => {
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

const behindDashes: InnerReader = (args) => {
  const at = args.findIndex(({ text }) => text === '--')
  return at < 0 || !args.some(({ text }) => text === 'exec' || text === 'run' || text === 'debug')
    ? NONE
    : words(args.slice(at + 1))
}

const tar: InnerReader = (args) => {
  const given = args.filter(({ text }) =>
    /^--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command|info-script)=/.test(text),
  )
  return given.flatMap((arg) => code(field(arg.text.replace(/^--checkpoint-action=exec=|^--[a-z-]+=/, ''))))
}

const sourced: InnerReader = (args) => {
  const [first, ...rest] = args
  return first === undefined ? NONE : [{ kind: 'file', language: 'shell', file: first, args: rest }]
}
const fromInput: InnerReader = () => [{ kind: 'input', language: 'shell' }]
const SPECIAL: Readonly<Record<string, InnerReader>> = {
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
  runuser: (args, _, work) => {
    const given = byFlag('-c', '--command', '--session-command')(args, null, work)
    return given.length > 0 ? given : words(past(args, '-u -g -G -s --user --group --shell', 0))
  },
  sg: byFlag('-c'),
  flock: (args, _, work) => {
    const given = byFlag('-c', '--command')(args, null, work)
    return given.length > 0 ? given : words(past(args, '-w -E -c --timeout --wait', 1))
  },
  watch: joinedFrom('-n --interval', 0),
  ssh: (args, _, work) => {
    const proxies = args
      .filter(({ text }) => /(?:Proxy|Local|Remote)Command=/i.test(text))
      .map((arg) => after(arg, '='))
    const told = joinedFrom('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w', 1)(args, null, work)
    return [...told, ...proxies.flatMap((each) => code(each))]
  },
  docker,
  podman: docker,
  'docker-compose': docker,
  kubectl: behindDashes,
  oc: behindDashes,
  'nix-shell': byFlag('--run', '--command'),
  nix: byFlag('-c', '--command'),
  tmux: (args) => {
    const { operands } = readOptions('tmux', args)
    const isTyped = args.some(({ text }) => text === 'send-keys' || text === 'send')
    const typed = operands.filter(({ text }) => !/^(?:Enter|C-m|C-j|Space)$/.test(text))
    const last = typed.at(-1)
    if (isTyped) return code(line(typed.filter(({ text }) => text !== 'send')))
    return last === undefined || !/\s/.test(last.text) ? NONE : code(last)
  },
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
  command: (args) => (args.some(({ text }) => /^-[pvV]*[vV]/.test(text)) ? NONE : words(past(args, '', 0))),
  eval: (args) => (args.length === 0 ? NONE : code(line(args[0]?.text === '--' ? args.slice(1) : args))),
  source: sourced,
  '.': sourced,
  trap: (args) => {
    const [first] = args.filter(({ text }) => text !== '--')
    return first === undefined || /^-?$|^-[lp]$/.test(first.text) ? NONE : code(first)
  },
  at: fromInput,
  batch: fromInput,
  crontab: (args, input, work) => (args.some(({ text }) => text === '-') ? fromInput(args, input, work) : NONE),
  rsync: (args) => code(readFlag(args, '-e', '--rsh', '--rsync-path')),
  git: gitInner,
}

/** What a program runs besides itself, from its words and, where it is known, its input. */
export function innerOf(
  program: string,
  args: readonly Field[],
  input: string | null,
  work: WorkBudget,
): readonly Inner[] {
  if (Object.hasOwn(SPECIAL, program)) return SPECIAL[program]?.(args, input, work) ?? NONE
  if (/^ld(?:-linux.*)?\.so/.test(program)) return words(past(args, '--library-path --preload', 0))
  return plainly(program, args) ?? interpreted(program, args) ?? byRunner(program, args)
}
