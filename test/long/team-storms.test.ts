import { once } from 'node:events'
import { watch, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type AnyNewRecord, newRecord } from '../../src/contract/record.ts'
import { roomKey } from '../../src/contract/team.ts'
import { projectors } from '../../src/daemon/schema.ts'
import { LogWriter } from '../../src/base/log/writer.ts'
import { openForWriting } from '../../src/base/store/sqlite.ts'
import { actingAs, type Box, select } from '../process/harness.ts'
import { createTeam, type TeamBox } from '../process/team-box.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('fifty agents in one room: everybody is reached once, nobody misses anything', async () => {
  const fifty = upTo(50).map((n) => `agent-${n}`)
  const team = await createTeam(fifty)
  const { mentions } = await team.say('@all how is it going?')
  expect(mentions.map(({ handle }) => handle).toSorted()).toEqual(fifty.toSorted())
  const answers = await Promise.all(fifty.map((handle) => team.say('fine', handle)))
  expect(answers.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(upTo(51).slice(1))
  // Each has read nothing, and wrote one of the fifty-one itself.
  expect(await team.unread()).toEqual(Object.fromEntries([...fifty.map((handle) => [handle, 50]), ['user', 50]]))
  const items = await team.client().inbox({ cwd: team.cwd, all: true })
  for (const type of ['mention', 'notice'])
    expect(
      items
        .filter((item) => item.type === type)
        .map(({ handle }) => handle)
        .toSorted(),
    ).toEqual(fifty.toSorted())
})

/** So many messages of the user, written as the daemon writes them, in one commit. */
const fill = (team: TeamBox, count: number): void => {
  const [row] = select(team.paths, 'SELECT project FROM room')
  const project = String(row?.['project'])
  const author = { kind: 'user', name: 'user' } as const
  const records = upTo(count).map((n): AnyNewRecord => {
    const id = `post_${n}`
    const post = { id, room: roomKey(project, 'build'), author, text: `message ${n}`, at: n, mentions: [] }
    const context = { id, at: n, actor: author, agent: null, project }
    return newRecord('chat.posted', { post: { ...post, kind: 'message' } }, context)
  })
  const db = openForWriting(team.paths.database)
  const [outcome] = new LogWriter(db, projectors).write([{ kind: 'append', records, cursors: [] }])
  db.close()
  expect(outcome?.ok).toBe(true)
}

test('ten thousand unread messages are read in pages, each once', async () => {
  const team = await createTeam(['ada'])
  await team.client().stop()
  fill(team, 10_000)
  expect(await team.unread()).toEqual({ ada: 10_000, user: 0 })
  const env = actingAs(team, 'ada')
  const read: number[] = []
  for (let left = 10_000; left > 0; ) {
    const { stdout } = await team.rein(['chat', 'read', 'build', '--unread', '--limit', '1000', '--json'], { env })
    const page = JSON.parse(stdout) as { posts: { n: number }[]; left: number }
    read.push(...page.posts.map(({ n }) => n))
    left = page.left
  }
  expect(read).toEqual(upTo(10_000))
  expect(await team.unread()).toEqual({ ada: 0, user: 0 })
})

/** Takes prompts and is idle again at once. */
const standIn = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
idle='{"type":"result","subtype":"success"}'
echo "$idle"
while read -r prompt; do echo "$idle"; done
`

const wakesOf = (box: Box): Record<string, number> => {
  const handles = box.log().flatMap(({ msg, handle }) => (msg === 'wake' ? [String(handle)] : []))
  return Object.fromEntries(
    [...new Set(handles)].toSorted().map((one) => [one, handles.filter((h) => h === one).length]),
  )
}

/** Resolves when agents were woken so often. */
const untilWoken = async (box: Box, wakes: Record<string, number>): Promise<void> => {
  const changes = watch(box.paths.log)
  while (JSON.stringify(wakesOf(box)) !== JSON.stringify(wakes)) await once(changes, 'change')
  changes.close()
}

describe('agents that call each other all the time', () => {
  test('have five calls waiting and are woken once; a person still gets through', async () => {
    const team = await createTeam([], {
      REIN_NOTIFY_ENABLED: 'true',
      REIN_NOTIFY_STARTUP_GRACE_S: '0',
      REIN_NOTIFY_CHECK_S: '1',
      REIN_NOTIFY_COOLDOWN_S: '3600',
      REIN_NOTIFY_MAX_WAIT_S: '86400',
    })
    writeFileSync(team.env['REIN_CLAUDE_PATH'] ?? '', standIn, { mode: 0o755 })
    for (const handle of ['ada', 'bob']) await team.up(handle)
    const storm = (from: string, to: string) =>
      Promise.all(upTo(200).map((n) => team.say(`@${to}${n % 2 ? '!' : ''} ${n}`, from)))
    const posted = (await Promise.all([storm('ada', 'bob'), storm('bob', 'ada')])).flat()
    expect(posted.filter(({ mentions }) => mentions[0]?.damped)).toHaveLength(390)
    expect([await team.waiting('ada', 'mention'), await team.waiting('bob', 'mention')]).toEqual([5, 5])
    await untilWoken(team, { ada: 1, bob: 1 })

    // It has dealt with them, and the next storm does not wake it again for an hour.
    for (const { id } of await team.told('ada', 'mention')) await team.as('ada').ack({ id })
    await storm('bob', 'ada')
    expect(await team.waiting('ada', 'mention')).toBe(5)
    const { delivery } = await team.as('bob').tell({ target: 'ada', cwd: team.cwd, text: 'Well?', from: 'bob' })
    expect(delivery).toMatch(/^ada is idle: it is woken for this within 3\d{3} s\. 6 others wait before it\.$/)
    await team.say('@ada what is going on?')
    await untilWoken(team, { ada: 2, bob: 1 })
  })

  test('are not flooded by the next daemon with what was not put into their inboxes', async () => {
    const team = await createTeam(['ada', 'bob'])
    await Promise.all(upTo(50).map((n) => team.say(`@ada ${n}`, 'bob')))
    for (const { id } of await team.told('ada', 'mention')) await team.as('ada').ack({ id })
    expect(await team.waiting('ada', 'mention')).toBe(0)
    await team.client().stop()
    // No agent starts a daemon.
    await team.client().hello()
    await team.say('@ada 51', 'bob')
    expect(await team.waiting('ada', 'mention')).toBeLessThanOrEqual(5)
    expect(await team.waiting('ada', 'notice')).toBe(1)
  })
})
