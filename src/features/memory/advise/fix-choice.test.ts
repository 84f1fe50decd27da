import { beforeEach, expect, test } from 'vitest'
import { World } from '../../../../test/support/advice-world.ts'

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

const refused = 'pre-commit: make dev must pass first'

test.each(['make dev', 'make test', 'npm run lint'])(
  'what a hook wants before a commit is told after one success: %s',
  (between) => {
    world.learn('git commit -m "fix: resolve bug"', 1, 'A', refused)
    world.learn(between, 0, 'A')
    world.learn('git commit -m "fix: resolve the bug"', 0, 'A')
    expect(world.run('git commit -am "feat: more"', 1, refused)).toContain(
      `after this error here, \`${between}\` and then the same again worked 1 of 1 time`,
    )
  },
)

test('a check between an edit and the commit is no fix, nor is what undoes', () => {
  world.learn('git commit -m a', 1, 'A', refused)
  world.fixes.observe({ session: 'A', command: 'make test', exit: 0, edited: true })
  world.learn('git commit -m a', 0, 'A')
  expect(world.run('git commit -m b', 1, refused)).toBeNull()
  world.learn('git commit -m a', 1, 'C', 'hook: the cache is stale')
  world.learn('make clean-dev', 0, 'C')
  world.learn('git commit -m a', 0, 'C')
  expect(world.run('git commit -m b', 1, 'hook: the cache is stale')).toBeNull()
})
