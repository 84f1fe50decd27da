import { describe, expect, test } from 'vitest'
import type { PostedView, RoomView } from '../../src/contract/routes/team.ts'
import { actingAs, type Box, createBox } from './harness.ts'
import { onScreen } from './screen.ts'
import { quiet } from './team-box.ts'

const has = (text: string | RegExp) => (lines: string[]) =>
  lines.some((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)))

/** A project with rooms and an agent that does nothing: what it says is said for it. */
const withRooms = async (...rooms: string[]): Promise<Box> => {
  const box = createBox(quiet)
  await box.runningAgent('worker')
  for (const room of rooms) await box.client().createRoom({ cwd: box.cwd, room, about: `About ${room}` })
  return box
}

const sayAs = (box: Box, handle: string, text: string, room = 'general'): Promise<PostedView> =>
  box.client({ env: actingAs(box, handle) }).post({ cwd: box.cwd, room, text })

const roomOf = async (box: Box, name = 'general'): Promise<RoomView | undefined> =>
  (await box.client().rooms({ cwd: box.cwd })).find((room) => room.name === name)

/** Resolves when everything in this room is read. */
const allRead = async (box: Box, name = 'general'): Promise<void> => {
  for await (const { rooms } of box.client().followRooms({ cwd: box.cwd }))
    if (rooms.find((room) => room.name === name)?.unread === 0) return
}

describe('rein chat', () => {
  test('two views and a command talk to each other, and what was in sight is read', async () => {
    const box = await withRooms('general', 'ops')
    const wide = onScreen(['chat'], { ...box, columns: 200, rows: 60 })
    const narrow = onScreen(['chat', 'general'], { ...box, columns: 40, rows: 10 })
    await wide.until(has(/^general · .* · 2 members · About general$/))
    await narrow.until(has(/^general {2}ops$/))
    expect(wide.isAlternate()).toBe(true)

    const sent = await box.rein(['chat', 'send', 'general', 'Who takes the 漢字 parser? \u001b[2J'])
    expect(sent.stdout).toBe('#1 in general\n')
    await wide.until(has(/│ \d\d:\d\d you: Who takes the 漢字 parser\? \\u\{1b\}\[2J {2}✓ /))
    await narrow.until(has(/^\d\d:\d\d you: Who takes the 漢字 parser\?/))

    wide.press('I do, @worker!\r')
    await narrow.until(has(/^\d\d:\d\d you: I do, @worker!/))
    await wide.until(has(/│ \d\d:\d\d you: I do, @worker!/))
    narrow.press('\u001b[200~two\rlines\u001b[201~')
    await narrow.until(has('general> two⏎lines'))
    narrow.press('\r')
    const lines = await wide.until(has(/│ {7}lines {2}✓ /))
    expect(has(/│ \d\d:\d\d you: two$/)(lines)).toBe(true)
    const inbox = await box.client().inbox({ target: 'worker', cwd: box.cwd })
    expect(inbox.flatMap(({ type, excerpt }) => (type === 'mention' ? [excerpt] : []))).toEqual(['I do, @worker!'])

    await sayAs(box, 'worker', 'Fine.')
    await wide.until(has(/│ \d\d:\d\d @worker: Fine\.$/))
    await allRead(box)
    await sayAs(box, 'worker', 'Disk is full', 'ops')
    await wide.until(has(/^ {2}ops +1 +│/))
    await narrow.until(has(/^general {2}ops 1$/))
    expect(await roomOf(box, 'ops')).toMatchObject({ unread: 1 })
    narrow.press('\t')
    await narrow.until(has(/^\d\d:\d\d @worker: Disk is full$/))
    await wide.until(has(/^ {2}ops +│/))

    for (const screen of [wide, narrow]) screen.press('\u0003')
    expect([await wide.ended, await narrow.ended]).toEqual([0, 0])
    const after = await narrow.until(has('before'))
    expect([narrow.isAlternate(), after.filter(Boolean)]).toEqual([false, ['before']])
  })

  test('makes rooms, says what it can do, and what it cannot', async () => {
    const box = createBox()
    const screen = onScreen(['chat'], box)
    await screen.until(has('A room is where you'))
    screen.press('hello\r')
    await screen.until(has('There is no room yet: /create NAME'))
    screen.press('\u0015/create api The API and its users\r')
    await screen.until(has(/^api · .* · 1 member · The API and its users$/))
    await screen.until(has('Nobody has said anything here yet.'))
    screen.press('@nobody hello\r')
    await screen.until(has('No agent here is called nobody.'))
    screen.press('/create No/Good\r')
    await screen.until(has('up to 32 of a-z'))
    screen.press('/help\r')
    await screen.until(has('@handle?'))
    screen.press('/quit\r')
    expect(await screen.ended).toBe(0)
  })

  test('looks back through a long room, and reads only what was in sight', async () => {
    const box = await withRooms('general')
    for (let n = 1; n <= 250; n += 1) await sayAs(box, 'worker', `message ${n}`)
    await box.client().moveCursor({ cwd: box.cwd, room: 'general', upTo: 250 })
    const screen = onScreen(['chat'], { ...box, columns: 60, rows: 12 })
    await screen.until(has('message 250'))
    screen.press('\u001b[5~')
    await screen.until(has('↓ 8 more below'))
    await sayAs(box, 'worker', 'news')
    const lines = await screen.until(has('↓ 9 more below'))
    expect([has('message 242')(lines), has('news')(lines)]).toEqual([true, false])
    expect(await roomOf(box)).toMatchObject({ unread: 1 })
    screen.press('\u001b[5~'.repeat(24))
    // Only the newest 200 were there; older ones are asked for when their end is reached.
    await screen.until(has(/message 50$/))
    screen.press('\u001b[5~')
    await screen.until(has(/message 44$/))
    screen.press('\u001b')
    await screen.until(has('news'))
    await allRead(box)
    screen.press('\u0003')
    expect(await screen.ended).toBe(0)
  })

  test('what is unread and too far up to be in sight stays unread until it was', async () => {
    const box = await withRooms('general')
    for (let n = 1; n <= 20; n += 1) await sayAs(box, 'worker', `message ${n}`)
    const screen = onScreen(['chat'], { ...box, columns: 60, rows: 12 })
    await screen.until(has(/message 20$/))
    await sayAs(box, 'worker', 'news')
    await screen.until(has('news'))
    expect(await roomOf(box)).toMatchObject({ unread: 21 })
    screen.press('\u001b[5~'.repeat(3))
    await screen.until(has(/message 1$/))
    await allRead(box)
    screen.press('\u0003')
    expect(await screen.ended).toBe(0)
  })

  test('fits a terminal that changes', async () => {
    const box = await withRooms('general')
    await sayAs(box, 'worker', `${'word '.repeat(30)}end`)
    const screen = onScreen(['chat'], { ...box, columns: 200, rows: 60 })
    await screen.until(has(/word end$/))
    screen.resize(40, 10)
    const lines = await screen.until((all) => all.length === 10 && has(/^ {6}.*word end$/)(all))
    expect(lines.at(-1)).toBe('general>')
    screen.signal('SIGTERM')
    expect(await screen.ended).toBe(0)
    expect(screen.isAlternate()).toBe(false)
  })

  test('says when the daemon is away, loses nothing that was written, and goes on when it is back', async () => {
    const box = await withRooms('general')
    const screen = onScreen(['chat'], box)
    await screen.until(has('Nobody has said anything'))
    await box.client().stop()
    await screen.until(([title]) => title?.startsWith('The daemon') === true)
    screen.press('Anybody?\r')
    await screen.until(has(/^Not sent: The daemon is not running\./))
    await screen.until(has('general> Anybody?'))
    await box.client().hello()
    await screen.until(has(/^general · /))
    screen.press('\r')
    await screen.until(has(/│ \d\d:\d\d you: Anybody\? {2}✓ /))
    await box.rein(['chat', 'send', 'general', 'Yes'])
    await screen.until(has(/│ \d\d:\d\d you: Yes {2}✓ /))
    screen.press('\u0004')
    expect(await screen.ended).toBe(0)
    expect(await roomOf(box)).toMatchObject({ posts: 2 })
  })

  test('a room that is not there is an error on the ordinary screen', async () => {
    const box = await withRooms('general')
    const screen = onScreen(['chat', 'genral'], box)
    expect(await screen.ended).toBe(3)
    await screen.until(has('There is no room genral in this project.'))
  })

  test('uses no colours where none are wanted', async () => {
    const box = await withRooms('general')
    const env = { ...box.env, NO_COLOR: '1' }
    const screen = onScreen(['chat'], { ...box, env })
    await screen.until(has('Nobody has said anything'))
    expect(screen.output()).not.toMatch(/\u001b\[[\d;]*m/)
    screen.press('\u0003')
    expect(await screen.ended).toBe(0)
  })
})
