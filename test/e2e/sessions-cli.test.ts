import { expect, test } from 'vitest'
import { files, walk } from './session-walk.ts'

test('what a person reads, from the list of sessions to the way back', async () => {
  const { rein, client, cwd, target, states } = await walk({ turns: 2 })
  const said = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await rein('session', ...args)
    return code === 0 ? stdout : `${code} ${stderr}`
  }
  const { session } = await client.session(target)

  expect(await said('list')).toMatch(/^SESSION .*\nses_\w+ +worker +claude +idle +2 +2 +\d+s +RUN:rm gone.txt/)
  const shown = await said('show', 'worker')
  expect(shown).toMatch(/^● +2 +\d\d:\d\d +RUN:rm gone.txt .*← worker is here$/m)
  expect(shown).toContain(
    `2 turns in 1 conversation; worker is at turn 2, in the conversation ${session.conversation}.`,
  )
  expect(await said('show', session.id)).toBe(shown)
  const changes = `4 files, +1 -2 lines:
  added    binary  binary
  added    +1 -0   deep/er/moved.txt
  deleted  +0 -1   gone.txt
  deleted  +0 -1   moved.txt
`
  const turn = await said('show', 'worker', '2')
  expect(turn).toContain(`Turn 2 of ${session.id}, after turn 1: worker, `)
  expect(turn).toContain('→ Bash rm gone.txt && mkdir -p deep/er')
  expect(turn).toContain(`${changes}Git: branch master, HEAD `)
  expect(await said('diff', 'worker', '2')).toBe(`From turn 1 to turn 2:\n${changes}`)
  expect(await said('diff', 'worker', '1', 'now', '--patch')).toContain('-gone.txt\n')
  expect(await said('search', 'DEEP/er')).toMatch(new RegExp(`^${session.id} turn 2 worker, .*\\n +RUN:rm gone.txt`))
  expect(await said('search', 'nothing-like-it')).toBe('Nothing was found.\n')

  const back = `4 files, +2 -1 lines:
  deleted  binary  binary
  deleted  +0 -1   deep/er/moved.txt
  added    +1 -0   gone.txt
  added    +1 -0   moved.txt
`
  expect(await said('rewind', 'worker', '1', '--dry-run')).toBe(
    `worker would go from turn 2 to turn 1, with its files and its conversation. Nothing was changed.\n${back}`,
  )
  expect(files(cwd)).toEqual(states[2])
  expect(await said('rewind', 'worker', '9')).toBe(
    '3 rein: There is no turn 9 in this session.\n      It has: 0, 1, 2.\n',
  )
  expect(await said('undo', 'worker')).toMatch(/^5 rein: There is nothing to undo in this session\./)
  const moved = await said('rewind', 'worker', '1')
  expect(moved).toMatch(/^worker went from turn 2 to turn 1, with its files and its conversation\.\n/)
  expect(moved).toContain(`It is running.\n${back}Undo: rein session undo worker\n`)
  expect(files(cwd)).toEqual(states[1])

  // What an undo needs is not dropped.
  expect(await said('gc')).toMatch(new RegExp(`^SNAPSHOTS +DROPPED .*\\n\\d+ +0 .* ${cwd}\\nFreed: `))
  expect(await said('undo', 'worker')).toMatch(/^worker went from turn 1 back to turn 2, /)
  expect(files(cwd)).toEqual(states[2])
  expect(await said('show', 'worker')).toMatch(/rewind +both +you +2 +1 +done\n.* undo +both +you +1 +2 +done\n/)
})
