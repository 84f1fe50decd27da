import { quoted } from '../../../base/util/shell.ts'

/** One agent in a layout: the command that shows it. */
export type Pane = readonly string[]

/** Shows the session of an agent in a pane of another: tmux lets itself be nested if it does not know, and asks no locale there. */
export const nestedAttach = (socket: string, session: string): Pane => {
  const tmux = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', socket]
  return [...tmux, 'attach-session', '-t', `=${session}`]
}

/**
 * The command that shows several agents in one window, the first one large, in a session that only looks:
 * it ends when nobody looks any more, and the agents know nothing of it.
 */
export const layoutCommand = (socket: string, name: string, [first = [], ...others]: readonly Pane[]): string[] => {
  const window = ['-t', `=${name}:`]
  const commands = [
    ['tmux', '-S', socket, 'new-session', '-s', name, shellLine(first)],
    ['set-option', ...window, 'destroy-unattached', 'on'],
    ['set-option', '-w', ...window, 'remain-on-exit', 'off'],
    ['set-option', '-w', ...window, 'main-pane-width', '60%'],
    // Laid out after each: a pane that is too small cannot be split once more.
    ...others.flatMap((pane) => [
      ['split-window', '-d', ...window, shellLine(pane)],
      ['select-layout', ...window, 'main-vertical'],
    ]),
  ]
  return commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]))
}

const shellLine = (pane: Pane): string => `exec ${pane.map(quoted).join(' ')}`
