import { beforeEach, expect, test } from 'vitest'
import { World } from '../../../test/advice-world.ts'

let world: World
beforeEach(() => {
  world = new World()
})

test.each(['dropdb shop', 'npx kill-port 3000', 'fuser -k 3000/tcp', 'git push', 'npm run deploy', 'frob --all'])(
  'what may do harm is no fix, whatever came of it: %s',
  (between) => {
    for (const session of ['A', 'C']) {
      world.learn('make e2e', 1, session, 'boom: no server')
      world.learn(between, 0, session)
      world.learn('make e2e', 0, session)
    }
    expect(world.run('make e2e', 1, 'boom: no server')).toBeNull()
  },
)

test.each([
  ['npm ci && npm test', true],
  ['frob --all && npm test', false],
  ['npm run db:reset && npm test', false],
  ['frob --all; npm test', false],
])('in place of it, %s may be told: %s', (instead, isTold) => {
  for (const session of ['A', 'C']) {
    world.learn('npm test', 1, session, 'boom: no server')
    world.learn(instead, 0, session)
  }
  expect(world.run('npm test', 1, 'boom: no server')?.includes(instead) ?? false).toBe(isTold)
})

test('who has just tried to push is told how it is done here', () => {
  const noUpstream = 'fatal: The current branch fix has no upstream branch.'
  for (const session of ['A', 'C']) {
    world.learn('git push', 128, session, noUpstream)
    world.learn('git push --set-upstream origin HEAD', 0, session)
  }
  expect(world.run('git push', 128, noUpstream)).toContain('`git push --set-upstream origin HEAD` worked instead')
})
