import { expect, test } from 'vitest'
import { layoutCommand, nestedAttach } from './layout.ts'

test('one window with a pane for each, in a session that ends when nobody looks', () => {
  const panes = [nestedAttach('/run/tmux.sock', 'agt_1'), ['rein', 'logs', "it's"]]
  const command = layoutCommand('/run/tmux.sock', 'view-1', panes)
  expect(command.slice(0, 6)).toEqual(['tmux', '-S', '/run/tmux.sock', 'new-session', '-s', 'view-1'])
  expect(command[6]).toBe("exec 'env' '-u' 'TMUX' 'tmux' '-u' '-S' '/run/tmux.sock' 'attach-session' '-t' '=agt_1'")
  expect(command).toContain("exec 'rein' 'logs' 'it'\\''s'")
  expect(command.filter((word) => word === 'split-window')).toHaveLength(1)
  expect(command.join(' ')).toContain('destroy-unattached on')
})
