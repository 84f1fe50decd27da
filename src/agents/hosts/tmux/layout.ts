import { quoted } from '../../../util/shell.ts'

/** One agent in a layout: the command that shows it. */
export type Pane = readonly string[]

/** What shows the session of an agent in a pane of another: tmux lets itself be nested if it does not know, and asks no locale there. */
export const nestedAttach = (socket: string, session: string): Pane => [
  ...['env', '-u', 'TMUX', 'tmux', '-u', '-S', socket],
  ...['attach-session', '-t', `=${session}`],
]

/**
 * The command that shows several agents in one window, the first one large, in a session that only looks:
 * it ends when nobody looks any more, and the agents know nothing of it.
 */
export const layoutCommand = (socket: string, name: string, [first = [], ...others]: readonly Pane[]): string[] => {
  const split = others.flatMap((pane) => [
    ...[';', 'split-window', '-d', '-t', `=${name}:`, shellLine(pane)],
    // After each: a pane that is too small cannot be split once more.
    ...[';', 'select-layout', '-t', `=${name}:`, 'main-vertical'],
  ])
  return [
    ...['tmux', '-S', socket, 'new-session', '-s', name, shellLine(first)],
    ...[';', 'set-option', '-t', `=${name}:`, 'destroy-unattached', 'on'],
    ...[';', 'set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'off'],
    ...[';', 'set-option', '-w', '-t', `=${name}:`, 'main-pane-width', '60%'],
    ...split,
  ]
}

const shellLine = (pane: Pane): string => `exec ${pane.map(quoted).join(' ')}`
