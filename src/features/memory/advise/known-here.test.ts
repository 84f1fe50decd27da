import { beforeEach, expect, test } from 'vitest'
import { missingModule, sure, textOf, World } from '../../../../test/support/advice-world.ts'

let world: World

const from = (cwd: string, session = 'B'): string | null => {
  const ran = [world.ran('make lint', 0, session)]
  return textOf(world.adviser.after(world.about(session, { cwd }), ran))
}

beforeEach(() => {
  world = new World()
  world.trees = ['/srv/app', '/srv/b'].map((root) => ({ root, repository: '/srv/app/.git' }))
  for (const path of ['/srv/app', '/srv/b', '/srv/shop']) world.there.add(path)
})

test('what comes next is named as it is run in one’s own', () => {
  for (let time = 0; time < 5; time++) world.learn('cd /srv/app && npm test')
  world.predictions = [sure('cd /srv/app && npm test')]
  expect(from('/srv/b')).toContain('what usually comes next is `npm test` (worked 5 of 5 times here)')
})

test('nobody is sent to another project', () => {
  for (let time = 0; time < 5; time++) for (const line of ['npm test', 'cd /srv/shop && npm test']) world.learn(line)
  world.predictions = [sure('cd /srv/shop && npm test')]
  expect(from('/srv/b')).toBeNull()
  world.run('ls')
  expect(world.decided.map(({ why }) => why)).toContain('never run here')
})

test('what helped in one helps in the other', () => {
  for (const session of ['A', 'C']) {
    world.learn('node x.js', 1, session, missingModule)
    world.learn('cd /srv/app && npm install', 0, session)
    world.learn('node x.js', 0, session)
  }
  const failed = [world.learn('node x.js', 1, 'B', missingModule)]
  const text = textOf(world.adviser.after(world.about('B', { cwd: '/srv/b' }), failed))
  expect(text).toContain('`npm install` and then the same again worked 2 of 2 times')
  const elsewhere = world.about('D', { cwd: '/srv/shop' })
  expect(textOf(world.adviser.after(elsewhere, failed))).not.toContain('worked')
})
