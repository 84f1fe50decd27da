import { once } from 'node:events'
import { request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { killProcess } from '../support/kill.ts'
import { type Called, call, optionsFor, toCalled, tokenOf, toolCall } from './mcp-call.ts'
import { createTeam, type TeamBox } from './team-box.ts'

let team: TeamBox

beforeAll(async () => {
  let clean = (): void => undefined
  team = await createTeam(['ada', 'bob'], {}, (end) => {
    clean = end
  })
  await team.up('bold', { autoApprove: true })
  return clean
})

const by = (handle: string, tool: string, args: object = {}): Promise<Called> =>
  call(team, tokenOf(team, handle), tool, args)

/** Resolves when an agent has read everything in `build`. */
const hasRead = async (handle: string): Promise<void> => {
  for await (const { rooms } of team.as(handle).followRooms({ cwd: team.cwd }))
    if (rooms.find(({ name }) => name === 'build')?.unread === 0) return
}

describe('chat_read and chat_send', () => {
  test('what could not be handed over is still unread', async () => {
    await team.say('Are you there?')
    const daemon = team.registered()?.pid
    // Its client is gone before there is an answer: the daemon stands still, and has to load its MCP server first.
    killProcess(daemon, 'SIGSTOP')
    const asking = request(optionsFor(team, { authorization: `Bearer ${tokenOf(team, 'ada')}` }))
    asking.on('error', () => undefined)
    asking.end(JSON.stringify(toolCall('chat_read', { room: 'build' })))
    await once(asking, 'finish')
    asking.destroy()
    killProcess(daemon, 'SIGCONT')
    for (const handle of ['bob', 'ada']) {
      expect((await by(handle, 'chat_read', { room: 'build' })).text).toContain('| Are you there?')
      await hasRead(handle)
    }
  })

  test('what one sends the other reads, as a quotation, once; looking changes nothing', async () => {
    const sent = await by('ada', 'chat_send', { room: 'build', text: '@bob @nobody Done.\nbuild #9, now, "rein":' })
    expect(sent).toEqual({ isError: false, text: 'Posted as #2 in build.\nThere is no agent "nobody" here.' })
    expect((await by('bob', 'chat_read')).text).toBe('build: 1 unread (1 naming you), 2 in all')
    const looked = await by('bob', 'chat_read', { room: 'build', last: 1 })
    expect(looked.text).toMatch(/^build #2, \S+, "agent ada":\n\| @bob @nobody Done\.\n\| build #9, now, "rein":\n/)
    expect(await team.unread()).toMatchObject({ bob: 1 })
    const read = await by('bob', 'chat_read', { room: 'build' })
    expect(read.text).toBe(looked.text)
    await hasRead('bob')
    expect((await by('bob', 'chat_read', { room: 'build' })).text).toBe('Nothing unread in build.')
  })

  test('failures are results that say what to do', async () => {
    expect(await by('ada', 'chat_send', { room: 'biuld', text: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^unknown_room: There is no room biuld in \S+\. Did you mean build\?$/) as string,
    })
    expect(await by('ada', 'chat_read', { room: 'build', after: 99 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^cursor_ahead: /) as string,
    })
  })

  test('text from outside is kept from an agent that asks nobody', async () => {
    await team.client().routeChannel({ name: 'phone', target: 'room:build', cwd: team.cwd })
    await team.client().receive({ name: 'phone', content: 'Run this.' })
    const shown = await by('ada', 'chat_read', { room: 'build', last: 1 })
    expect(shown.text).toContain('"channel phone":\n| Run this.')
    const kept = await by('bold', 'chat_read', { room: 'build', last: 1 })
    expect(kept.text).toContain('not shown: it came in from outside')
    expect(kept.text).not.toContain('Run this.')
  })
})

describe('bus_publish, bus_read and bus_ack', () => {
  test('an event is read and acknowledged by each that it is for', async () => {
    const published = await by('ada', 'bus_publish', { type: 'task-blocked', payload: 'no disk', dedup: 'disk' })
    const id = /^evt_\S+/.exec(published.text)?.[0] ?? ''
    expect(published.text).toMatch(/^evt_\S+ is published, for (bob, bold|bold, bob)\.$/)
    expect((await by('ada', 'bus_publish', { type: 'task-blocked', dedup: 'disk' })).text).toBe(
      `The same was published before: ${id}.`,
    )
    expect((await by('bob', 'bus_read')).text).toMatch(
      new RegExp(`^${id}: task-blocked, high, \\S+, from "agent ada"\\n\\| no disk\\n`),
    )
    expect((await by('bob', 'bus_ack', { ids: [id] })).text).toBe(`Acknowledged: ${id}. 0 left for you.`)
    expect((await by('bob', 'bus_read')).text).toBe('No events wait for you.')
    expect((await by('bold', 'bus_read')).text).toContain(id)
    expect((await by('ada', 'bus_ack', { ids: [id] })).text).toMatch(/^wrong_agent: /)
  })

  test('what is done once is with the one that has read it', async () => {
    const { text } = await by('ada', 'bus_publish', { type: 'review', once: true })
    const id = /^evt_\S+/.exec(text)?.[0] ?? ''
    expect((await by('bob', 'bus_read')).text).toContain(`${id}: review, normal, to be done once`)
    expect((await by('bold', 'bus_read', {})).text).not.toContain(id)
    expect((await by('bold', 'bus_ack', { ids: [id] })).text).toContain('wrong_agent: bob has taken')
    expect((await by('bob', 'bus_ack', { ids: [id] })).text).toContain(`Acknowledged: ${id}`)
  })
})

test('a model that is no agent reads along: it neither speaks nor reads for the user', async () => {
  await team.say('For people.', 'ada')
  const { user } = await team.unread()
  const nobody = async (tool: string, args: object) => {
    const [answer = ''] = await team.client().mcp(toolCall(tool, args), team.cwd)
    return toCalled(JSON.parse(answer))
  }
  for (const [tool, args] of [
    ['chat_send', { room: 'build', text: 'I am the boss.' }],
    ['bus_publish', { type: 'human-input' }],
    ['bus_ack', { ids: ['evt_1'] }],
  ] as const)
    expect(await nobody(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^forbidden: /) as string,
    })
  expect((await nobody('chat_read', { room: 'build' })).text).toContain('| For people.')
  expect(await team.unread()).toMatchObject({ user })
})
