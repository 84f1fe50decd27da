import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { FeedLine } from '../../src/contract/routes/feed.ts'
import { actingAs, type Box, createBox, select } from './harness.ts'

const quiet = { REIN_NOTIFY_ENABLED: 'false', REIN_SESSIONS_ENABLED: 'false' }
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  )
const projectOf = async (client: Client): Promise<string> => (await client.ps({ all: true }))[0]?.project ?? ''

/** Reads lines until one is as wanted. */
const readUntil = async (feed: AsyncGenerator<FeedLine>, isLast: (line: FeedLine) => boolean): Promise<FeedLine[]> => {
  const lines: FeedLine[] = []
  for await (const line of feed) {
    lines.push(line)
    if (isLast(line)) break
  }
  return lines
}
const isTold =
  (text: string) =>
  (line: FeedLine): boolean =>
    'record' in line && line.record.type === 'directive.accepted' && line.record.body.directive.text === text

describe('a request from where there is no directory', () => {
  test('names its project, by which its agents, rooms, tasks and notes are found', async () => {
    const box = createBox(quiet)
    const client = box.client()
    await box.stoppedAgent('ada')
    const project = await projectOf(client)
    const short = project.replace(/-[0-9a-f]{6}$/, '')
    expect(await client.projects({})).toEqual([{ project, places: [box.cwd], agents: 0 }])
    expect((await client.tell({ target: 'ada', project: short, text: 'Hello', from: 'tester' })).handle).toBe('ada')
    expect(await client.inbox({ project, target: 'ada' })).toHaveLength(1)
    await client.createRoom({ project, room: 'lobby' })
    expect((await client.rooms({ project })).map(({ name }) => name)).toEqual(['lobby'])
    expect(await client.newTask({ project, name: 'parser' })).toMatchObject({ root: box.cwd, project })
    await client.addNote({ project, title: 'Tabs', text: 'Use tabs.' })
    expect((await client.notes({ cwd: box.cwd })).notes).toMatchObject([{ title: 'Tabs' }])
    expect(await client.leases({ project })).toEqual([])
    expect((await client.story({ project, target: 'parser' })).subject).toMatchObject({ name: 'parser', project })
    rmSync(box.cwd, { recursive: true })
    expect(await client.projects({})).toEqual([])
    expect(await codeOf(client.newTask({ project, name: 'other' }))).toBe('not_found')
    expect((await client.tell({ target: 'ada', project, text: 'Again', from: 'tester' })).handle).toBe('ada')
  })

  test('names either its directory or its project, and one that there is', async () => {
    const box = createBox(quiet)
    const client = box.client()
    await box.stoppedAgent('ada')
    const both = { target: 'ada', cwd: box.cwd, project: 'project' } as unknown as { target: string; cwd: string }
    expect(await codeOf(client.inbox(both))).toBe('usage')
    expect(await codeOf(client.down(both))).toBe('usage')
    expect(await codeOf(client.rooms({} as { cwd: string }))).toBe('usage')
    const hint = `There are: ${await projectOf(client)}.`
    const unknown = { code: 'not_found', message: 'There is no project "nothing".', hint }
    await expect(client.rooms({ project: 'nothing' })).rejects.toMatchObject(unknown)
    await expect(client.inbox({ project: 'nothing' })).rejects.toMatchObject(unknown)
    await expect(client.resume({ project: 'nothing' })).rejects.toMatchObject(unknown)
  })

  test('lists the directives of its project alone', async () => {
    const box = createBox(quiet)
    const client = box.client()
    const other = join(box.cwd, '../other')
    mkdirSync(other)
    for (const [handle, cwd] of [
      ['ada', box.cwd],
      ['bob', other],
    ] as const) {
      const { project } = await box.stoppedAgent(handle, cwd)
      await client.tell({ target: handle, cwd, text: 'Hello', from: 'tester' })
      for (const all of [true, false])
        expect((await client.inbox({ project, all })).map((one) => one.handle)).toEqual([handle])
    }
    expect(await client.inbox({ cwd: other })).toHaveLength(2)
  })

  test('starts an agent in the environment of its last launch, else in that of the daemon', async () => {
    const box = createBox(quiet)
    const client = box.client()
    const up = async (handle: string, env?: Record<string, string>): Promise<string> => {
      const request = { cwd: box.cwd }
      const { pid } = await client.up({ handle, driver: 'claude', host: 'stream', request, ...(env && { env }) })
      return readFileSync(`/proc/${pid}/environ`, 'latin1')
    }
    expect(await up('ada', { ...box.env, WORD: 'of-a-shell' })).toContain('WORD=of-a-shell')
    await client.down({ target: 'ada', cwd: box.cwd })
    expect(await up('ada')).toContain('WORD=of-a-shell')
    const other = await up('eva')
    expect(other).toContain(`HOME=${box.env['HOME']}`)
    expect(other).not.toContain('WORD=')
  })
})

test('an agent is shown with the branch of its directory, whatever that is called', async () => {
  const box = createBox(quiet)
  const client = box.client()
  await box.stoppedAgent('ada')
  const branch = async (): Promise<unknown> => (await client.ps({ all: true }))[0]?.branch
  const switchTo = (head: string): void => {
    mkdirSync(join(box.cwd, '.git'), { recursive: true })
    writeFileSync(join(box.cwd, '.git', 'HEAD'), head)
  }
  expect(await branch()).toBeUndefined()
  switchTo('ref: refs/heads/feature/tabs\n')
  expect(await branch()).toBe('feature/tabs')
  switchTo(`ref: refs/heads/\u001b[2J\u202e${'x'.repeat(5000)}\n`)
  expect(await branch()).toBe(`\\u{1b}[2J\\u{202e}${'x'.repeat(200)}`.slice(0, 200))
  switchTo('0123456789012345678901234567890123456789\n')
  expect(await branch()).toBeUndefined()
})

test('the records of an act name the person who did it', async () => {
  const box = createBox(quiet)
  const client = box.client()
  await box.runningAgent('ada')
  const project = await projectOf(client)
  await client.pause({ target: 'ada', project })
  await client.unpause({ target: 'ada', project })
  await client.restart({ target: 'ada', project })
  await client.down({ target: 'ada', project })
  const rows = select(
    box.paths,
    "SELECT type, actor ->> '$.kind' AS by, body ->> '$.state' AS state FROM record WHERE topic = 'agents' ORDER BY seq",
  )
  const acts = rows.filter(({ by }) => by === 'user').map(({ type, state }) => `${type} ${state ?? ''}`.trim())
  expect(acts).toEqual([
    'agent.created',
    'agent.launched',
    'agent.paused',
    'agent.paused',
    'agent.state stopped',
    'agent.launched',
    'agent.ending',
    'agent.state stopped',
  ])
  const { moments } = await client.story({ project, target: 'ada' })
  expect(moments.filter(({ kind }) => kind === 'agent').map(({ text }) => text.replace(/: .*\)/, ''))).toEqual([
    'started, by the user',
    'paused, by the user',
    'goes on after a pause, by the user',
    'stopped, by the user',
    'started again, by the user',
    'stopped, by the user',
  ])
  expect((await box.rein(['story', 'ada'])).stdout).toContain('paused, by you')
})

describe('a feed', () => {
  test('goes on after the daemon was killed: nothing is missing, nothing comes twice', async () => {
    const box = createBox(quiet)
    const first = await box.daemon()
    const client = box.client({ start: false })
    const tell = (text: string) => client.tell({ target: 'ada', cwd: box.cwd, text, from: 'tester' })
    await box.stoppedAgent('ada')
    const agent = `${await projectOf(client)}/ada`
    await tell('one')
    const begun = await readUntil(client.feed({ agent, lines: 2 }), isTold('one'))
    expect(begun[0]).toMatchObject({ at: 'begin' })
    await tell('two')
    await first.kill()
    await box.daemon()
    const position = begun.flatMap((line) => ('record' in line ? [line.record.seq] : [])).at(-1) ?? 0
    const feed = client.feed({ agent, after: position })
    await tell('three')
    const rest = await readUntil(feed, isTold('three'))
    expect(rest[0]).toEqual({ at: 'resumed', position })
    const shown = [...begun, ...rest].flatMap((line) => ('record' in line ? [line.record.id] : []))
    const records = select(
      box.paths,
      "SELECT id FROM record WHERE topic IN ('agents', 'directives', 'sessions', 'turns') AND agent IS NOT NULL ORDER BY seq",
    )
    const ids = records.map(({ id }) => String(id))
    expect(shown).toEqual(ids.slice(ids.indexOf(shown[0] ?? ''), ids.indexOf(shown.at(-1) ?? '') + 1))
    const older = await client.page({ agent, before: position, lines: 1000 })
    expect([older.isFirst, older.records.at(0)?.type]).toEqual([true, 'agent.created'])
  })

  test('takes topics as a list or as one text', async () => {
    const box = createBox(quiet)
    await box.stoppedAgent('ada')
    const client = box.client()
    const { records } = await client.page({ topics: ['agents', 'projects'], before: 1_000_000 })
    expect(new Set(records.map(({ topic }) => topic))).toEqual(new Set(['agents', 'projects']))
    expect(await codeOf(client.page({ topics: 'agents,nothing', before: 9 }))).toBe('usage')
  })
})

test('receipts of an agent have their texts and steps, without secrets', async () => {
  const box = createBox(quiet)
  const client = box.client()
  await box.stoppedAgent('ada')
  const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  await client.tell({ target: 'ada', cwd: box.cwd, text: 'Use tabs.', from: 'the user' })
  await client.tell({ target: 'ada', cwd: box.cwd, text: `The key is ${key}`, from: 'the user' })
  const receipts = await client.receipts({ target: 'ada', cwd: box.cwd })
  expect(receipts).toMatchObject([
    {
      text: 'Use tabs.',
      handle: 'ada',
      from: 'the user',
      sender: { kind: 'user' },
      steps: [{ state: 'queued' }, { state: 'held' }],
    },
    { text: expect.stringMatching(/^The key is .*redacted/) },
  ])
  expect(JSON.stringify(receipts)).not.toContain(key)
  expect(await client.receipts({ target: 'ada', cwd: box.cwd, lines: 1 })).toHaveLength(1)
})

test('nobody asks anything: questions are watched all the same', async () => {
  const box = createBox(quiet)
  await box.runningAgent('ada')
  expect(await box.client().questions({})).toEqual([])
  for await (const line of box.client().watchQuestions({})) {
    expect(line).toEqual({ questions: [] })
    break
  }
})

test('what a page reads is not for agents', async () => {
  const box: Box = createBox(quiet)
  await box.runningAgent('ada')
  const client = box.client({ env: actingAs(box, 'ada') })
  const first = (lines: AsyncGenerator): Promise<unknown> => lines.next()
  const asked = [
    client.projects({}),
    client.questions({}),
    first(client.watchQuestions({})),
    first(client.feed({})),
    client.page({ before: 9 }),
    client.receipts({ target: 'ada', cwd: box.cwd }),
  ]
  expect(await Promise.all(asked.map(codeOf))).toEqual(asked.map(() => 'forbidden'))
  // Also where an agent may ask, another project is not told of.
  expect(await codeOf(client.rooms({ project: 'other' }))).toBe('forbidden')
  expect(await client.rooms({ project: await projectOf(client) })).toEqual([])
})
