import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliNamed, envOf, settle } from '../support/clis.ts'
import { startRein, type TestRein } from '../e2e/harness.ts'
import { run } from '../process/harness.ts'
import { onScreen } from '../process/screen.ts'
import { shapeOf, stepsOf } from './walk-through.ts'

/** What the agents of the page do: each tool call is the model's, everything else is Rein. */
const scenario = [
  String.raw`on <rein-message id="(\S+)" from="rein" [^\n]*\n\| Unread messages in rooms of your team: build do THINK:$1 ;; CALL:mcp__rein__chat_read{"room":"build"}`,
  String.raw`on You are ada, an agent of a team do CALL:WaitForMcpServers{} ;; CALL:mcp__rein__chat_send{"room":"build","text":"I am here: I build and test."} ;; SAY:Ready.`,
  String.raw`on You are bob, an agent of a team do CALL:mcp__rein__chat_send{"room":"build","text":"I am here: I review."} ;; SAY:Ready.`,
  String.raw`on post="\d+" from="the user" [^\n]*\n\| @ada the build is red do CALL:mcp__rein__chat_send{"room":"build","text":"@bob the date test fails since #41: please look"} ;; SAY:Asked.`,
  String.raw`on post="\d+" from="agent ada" [^\n]*\n\| @bob the date test fails do CALL:mcp__rein__chat_send{"room":"build","text":"A time zone was missing. Mended."} ;; SAY:Mended.`,
  String.raw`on ^\| Events on the bus that wait for you: do WAIT:shown ;; CALL:mcp__rein__bus_read{}`,
  String.raw`on ^(evt_[0-9a-f-]+): review-wanted do CALL:mcp__rein__bus_ack{"ids":["$1"]}`,
].join('\n')

const quick = { REIN_NOTIFY_STARTUP_GRACE_S: '0', REIN_NOTIFY_CHECK_S: '1', REIN_NOTIFY_COOLDOWN_S: '1' }

/** As a person has it: in the project’s directory, with `rein` on the PATH. */
const startShop = async (): Promise<{ rein: TestRein; cwd: string; env: Record<string, string> }> => {
  const rein = await startRein({ scenario, config: quick })
  const cwd = join(rein.cwd, 'shop')
  mkdirSync(cwd)
  const cli = cliNamed('claude')
  await settle(cli, rein.home, rein.sim.url, cwd)
  await rein.client.status()
  const PATH = `${join(rein.paths.state, 'bin')}:${process.env['PATH'] ?? ''}`
  return { rein, cwd, env: { ...rein.daemonEnv, ...envOf(cli, rein.home, rein.sim.url), PATH } }
}

/** Resolves when so much was said in the room, and both agents have read it and rest. */
const untilRead = async ({ client }: TestRein, cwd: string, last: number): Promise<void> => {
  const isThere = async (): Promise<boolean> => {
    const members = await client.members({ room: 'build', cwd })
    const [room] = await client.rooms({ cwd })
    return room?.posts === last && members.every(({ kind, unread }) => kind === 'person' || unread === 0)
  }
  for await (const _ of client.followRooms({ cwd, room: 'build' })) if (await isThere()) break
  for await (const { agents } of client.watch({ all: false })) if (agents.every(({ state }) => state === 'idle')) return
}

/** Resolves when nothing on the bus is open. */
const untilDone = async ({ client }: TestRein, cwd: string): Promise<void> => {
  for await (const _ of client.tail({ topic: 'events', after: 0, follow: true }))
    if ((await client.events({ cwd })).events.length === 0) return
}

test('the walk-through of docs/teams.md does what the page says', async () => {
  const { rein, cwd, env } = await startShop()
  /** What a person who reads the page does not notice: agents need a moment. */
  const before: Record<string, () => Promise<unknown>> = {
    'second agent': () => untilRead(rein, cwd, 1),
    'first words': () => untilRead(rein, cwd, 2),
    receipt: () => untilRead(rein, cwd, 5),
    done: async () => {
      rein.sim.release('shown')
      await untilDone(rein, cwd)
    },
  }
  let said = ''
  for (const { name, commands, shown } of stepsOf('teams.md')) {
    await before[name]?.()
    if (name === 'view') {
      await expectView(shapeOf(shown ?? ''), cwd, env)
      continue
    }
    const { code, stdout, stderr } = await run(['bash', '-ec', withIds(commands, said)], { cwd, env })
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' })
    expect(shapeOf(stdout.trimEnd())).toEqual(shapeOf(shown ?? stdout.trimEnd()))
    said = stdout
  }
})

/** An id in a command is the one that was printed just before. */
const withIds = (commands: string, said: string): string =>
  commands.replaceAll(
    /\b(dir|evt)_[0-9a-f]{8}\b/g,
    (short, kind) => new RegExp(`${kind}_[0-9a-f-]+`).exec(said)?.[0] ?? short,
  )

const expectView = async (wanted: string[], cwd: string, env: Record<string, string>): Promise<void> => {
  const screen = onScreen(['chat'], { cwd, env, columns: 80, rows: wanted.length })
  await screen.until((lines) => lines.some((line) => line.includes('is the build green again')))
  const lines = await screen.until((all) => all.at(-1)?.startsWith('build>') === true)
  expect(shapeOf(lines.join('\n'))).toEqual(wanted)
  screen.press('\u0003')
  expect(await screen.ended).toBe(0)
}
