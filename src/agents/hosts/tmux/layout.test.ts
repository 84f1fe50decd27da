import { expect, test } from 'vitest'
import { attachCommand, layoutCommand, nestedAttach } from './layout.ts'

test('one window with a pane for each, in a session that ends when nobody looks', () => {
  const panes = [nestedAttach('/run/tmux.sock', 'agt_1'), ['rein', 'logs', "it's"]]
  const command = layoutCommand('/run/tmux.sock', 'view-1', panes)
  expect(command.slice(0, 6)).toEqual(['tmux', '-S', '/run/tmux.sock', 'new-session', '-s', 'view-1'])
  expect(command[6]).toBe("exec 'env' '-u' 'TMUX' 'tmux' '-u' '-S' '/run/tmux.sock' 'attach-session' '-t' '=agt_1'")
  expect(command).toContain("exec 'rein' 'logs' 'it'\\''s'")
  expect(command.filter((word) => word === 'split-window')).toHaveLength(1)
  expect(command.join(' ')).toContain('destroy-unattached on')
})

test('an agent is shown with a line that says how to leave, by a key that a person’s own tmux does not have', () => {
  const command = attachCommand('/run/tmux.sock', 'agt_1', 'worker-1').join(' ')
  expect(command).toMatch(/^tmux -S \/run\/tmux\.sock bind-key -n C-q detach-client -E echo '\[detached\]' ; /)
  expect(command).toContain('status-left  worker-1 · Ctrl-q leaves it running  ;')
  expect(command).toMatch(/ status on ; attach-session -t =agt_1$/)
})
