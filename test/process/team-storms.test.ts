import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LogRecord } from '../../src/contract/record.ts'
import { actingAs } from './harness.ts'
import { codeOf, createTeam, untilRecords } from './team-box.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('whatever comes at once, an agent has one notice', async () => {
  const team = await createTeam(['ada', 'bob', 'cid'])
  // This one is worth nobody's turn, what follows is: the notice is made anew.
  await team.say('@ada hello', 'cid')
  await Promise.all(upTo(20).map((n) => team.say(`message ${n}`, n % 2 ? 'ada' : 'cid')))
  await team.client().publish({ cwd: team.cwd, type: 'task-failed', priority: 'critical' })
  const isPressing = ({ body: { directive } }: LogRecord<'directive.accepted'>): boolean =>
    directive.agent.handle === 'bob' && directive.priority === 'high'
  await untilRecords(team, 'directive.accepted', 1, isPressing)
  expect(await team.waiting('bob', 'notice')).toBe(1)
})

test('a full inbox keeps nobody from posting, and nobody else from hearing of it', async () => {
  const team = await createTeam(['ada', 'bob'], { REIN_INBOX_LIMIT: '2' })
  for (const text of ['@ada one', '@ada two']) await team.say(text)
  expect(await team.say('@ada @bob three')).toMatchObject({
    n: 3,
    mentions: [
      { handle: 'ada', directive: null, damped: true },
      { handle: 'bob', directive: expect.stringMatching(/^dir_/) as string },
    ],
  })
  expect(await team.unread()).toEqual({ ada: 3, bob: 3, user: 0 })
})

describe('a handle', () => {
  test('is one agent, however often it is started at once', async () => {
    const team = await createTeam(['ada'])
    const starts = await Promise.all(upTo(5).map(() => codeOf(team.up('bob'))))
    expect(starts.filter((code) => code !== 'handle_taken')).toEqual([null])
    expect(await codeOf(team.up('ada'))).toBe('handle_taken')
    expect(Object.keys(await team.unread()).toSorted()).toEqual(['ada', 'bob', 'user'])
    expect((await team.say('@bob hello')).mentions).toHaveLength(1)
    expect(await team.told('bob', 'mention')).toHaveLength(1)
  })

  test('in another project is another agent, which neither hears nor reads what is said here', async () => {
    const team = await createTeam(['ada'])
    const other = join(team.root, 'other')
    mkdirSync(other)
    const { project } = await team.up('ada', { cwd: other })
    await team.client().createRoom({ cwd: other, room: 'build' })
    await team.say('@ada hello')
    expect(await team.client().inbox({ target: 'ada', cwd: other, all: true })).toEqual([])
    expect(await team.told('ada', 'mention')).toHaveLength(1)
    // Wherever it is, it is in the rooms of its own project.
    const stranger = team.client({ env: actingAs(team, 'ada', project) })
    expect(await stranger.posts({ cwd: team.cwd, room: 'build', unread: true })).toMatchObject({ posts: [], left: 0 })
    await stranger.post({ cwd: team.cwd, room: 'build', text: '@ada and here?' })
    expect(await stranger.rooms({ cwd: team.cwd, all: true })).toMatchObject([{ project, posts: 1 }])
    expect(await team.unread()).toEqual({ ada: 1, user: 0 })
    const [here] = await team.client().rooms({ cwd: team.cwd })
    const publish = stranger.publish({ cwd: team.cwd, type: 'note', to: `${here?.project}/ada` })
    expect(await codeOf(publish)).toBe('unknown_agent')
  })
})
