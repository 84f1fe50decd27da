import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { person } from '../../../test/support/builders.ts'
import { startTaskWorld } from '../../../test/support/task-world.ts'
import { down, status } from './team-file.ts'
import { up } from './team-up.ts'

test('a task that is being changed keeps its agents; all others go down', async () => {
  const { services, cwd, project, running, agent, team, tasks } = await startTaskWorld()
  await running('parser', 'ada')
  await running('lexer', 'bob', 'dan')
  agent('cid')
  Object.assign(team, { ada: { task: 'parser' }, bob: { task: 'lexer' }, cid: {} })
  const { agents } = await tasks.exclusively(project, 'parser', 'start', () => down(services, person, { cwd }))
  expect(agents.map(({ handle, state, error }) => [handle, state, error])).toEqual([
    ['ada', 'idle', expect.stringContaining('"team down" has to wait')],
    ['bob', 'stopped', null],
    ['cid', 'stopped', null],
    ['dan', 'stopped', null],
  ])
})

test('a task is the same in whatever case it is written', async () => {
  const { services, cwd, running, team } = await startTaskWorld()
  await running('parser', 'ada', 'bob')
  Object.assign(team, { ada: { task: 'Parser', role: 'lead' }, bob: { task: 'parser' } })
  const { agents } = await down(services, person, { cwd })
  expect(agents.map(({ task, did }) => [task, did])).toEqual([
    ['Parser', 'stopped'],
    ['Parser', 'stopped'],
  ])
  team['bob'] = { task: 'parser', role: 'lead' }
  await expect(status(services, person, { cwd })).rejects.toThrow('the task Parser has two leads, ada and bob.')
})

test('a task is made with the work trees that its agents have', async () => {
  const { services, cwd, team, tasks } = await startTaskWorld()
  const author = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('git', ['init', '--quiet'], { cwd, env })
  execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '-m', 'Begin'], { cwd, env })
  Object.assign(team, {
    ada: { task: 'none', driver: 'nobody' },
    bob: { task: 'one', driver: 'nobody', worktree: 'one' },
    cid: { task: 'one', driver: 'nobody', worktree: 'one' },
    dan: { task: 'each', driver: 'nobody', worktree: 'each' },
    eve: { task: 'each', driver: 'nobody', worktree: 'each-1' },
  })
  await up(services, person, { cwd, launch: { host: 'stream', drivers: ['claude'], models: {}, env: {} } })
  expect(tasks.all(null).map(({ name, worktrees }) => [name, worktrees])).toEqual([
    ['none', 'none'],
    ['one', 'task'],
    ['each', 'agent'],
  ])
})
