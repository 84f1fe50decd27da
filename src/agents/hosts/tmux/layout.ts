import { quoted } from '../../../base/util/shell.ts'

/** One agent in a layout: the command that shows it. */
type Pane = readonly string[]

/** Shows the session of an agent in a pane of another: tmux lets itself be nested if it does not know, and asks no locale there. */
export const nestedAttach = (socket: string, session: string): Pane => {
  const tmux = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', socket]
  return [...tmux, 'attach-session', '-t', `=${session}`]
}

/**
 * A key of its own: within a person's own tmux, Ctrl-b d would detach theirs.
 * The last line is ours: that of tmux names the session, which is the id of the agent.
 */
const bindLeaving = ['bind-key', '-n', 'C-q', 'detach-client', '-E', "echo '[detached]'"]

/** A line at the bottom that says how to leave. A name is made of letters, digits, `-` and `_`: tmux would expand others. */
const statusLine = (session: string, name: string): string[][] => {
  const set = (option: string, value: string): string[] => ['set-option', '-t', `=${session}:`, option, value]
  return [
    set('status-left', ` ${name} · Ctrl-q leaves it running `),
    set('status-left-length', '120'),
    set('status-right', ''),
    set('status-style', 'bg=cyan,fg=black'),
    ['set-option', '-w', '-t', `=${session}:`, 'window-status-current-format', ''],
    set('status', 'on'),
  ]
}

/** Also a server that an older Rein has started gets the key and the line: both are set whenever somebody attaches. */
export const attachCommand = (socket: string, session: string, name: string): string[] =>
  joined(['tmux', '-S', socket], [bindLeaving, ...statusLine(session, name), ['attach-session', '-t', `=${session}`]])

const joined = (program: string[], commands: readonly string[][]): string[] => [
  ...program,
  ...commands.flatMap((command, index) => (index === 0 ? command : [';', ...command])),
]

/**
 * The command that shows several agents in one window, the first one large, in a session that only looks:
 * it ends when nobody looks any more, and the agents know nothing of it.
 */
export const layoutCommand = (socket: string, name: string, [first = [], ...others]: readonly Pane[]): string[] => {
  const window = ['-t', `=${name}:`]
  const commands = [
    ['new-session', '-s', name, shellLine(first)],
    bindLeaving,
    ...statusLine(name, name),
    ['set-option', ...window, 'destroy-unattached', 'on'],
    ['set-option', '-w', ...window, 'remain-on-exit', 'off'],
    ['set-option', '-w', ...window, 'main-pane-width', '60%'],
    // Laid out after each: a pane that is too small cannot be split once more.
    ...others.flatMap((pane) => [
      ['split-window', '-d', ...window, shellLine(pane)],
      ['select-layout', ...window, 'main-vertical'],
    ]),
  ]
  return joined(['tmux', '-S', socket], commands)
}

const shellLine = (pane: Pane): string => `exec ${pane.map(quoted).join(' ')}`
