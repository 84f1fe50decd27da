import { code, type Inner, NONE, past, readFlag, words } from './inner.ts'
import type { Field } from './state.ts'

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
  'systemd-run': ['-u -p -E --unit --property --setenv --working-directory --uid --gid', 0],
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

/** `sudo -u me program`, `timeout 5 program`. */
export const plainly = (program: string, args: readonly Field[]): readonly Inner[] | null => {
  const plain = Object.hasOwn(PLAIN, program) ? PLAIN[program] : undefined
  return plain === undefined ? null : words(past(args, plain[0], plain[1]))
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
const RUNNER_VALUES = '-p --package -n --name --with --python --project --directory -C --cwd'

export function byRunner(program: string, args: readonly Field[]): readonly Inner[] {
  if (!Object.hasOwn(RUNNERS, program)) return NONE
  const verbs = (RUNNERS[program] ?? '').split(' ').filter(Boolean)
  const at = verbs.length === 0 ? 0 : args.findIndex(({ text }) => verbs.includes(text)) + 1
  if (verbs.length > 0 && at === 0) return NONE
  const rest = args.slice(at)
  const given = readFlag(rest, '-c', '--call')
  if (given !== undefined && /^p?np[xm]$/.test(program)) return code(given)
  return words(past(rest, RUNNER_VALUES, 0))
}
