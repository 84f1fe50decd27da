import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/contract/routes/all.ts'
import type { PostsView } from '../../src/contract/routes/team.ts'
import { actingAs, type Env, repository } from './harness.ts'
import { runCli } from './in-process-cli.ts'
import { codeOf, createTeam, type TeamBox } from './team-box.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** A room with so many messages, which ada has not read. */
const withMessages = async (count: number): Promise<TeamBox> => {
  const team = await createTeam(['ada'])
  for (const n of upTo(count)) await team.say(`message ${n}`)
  return team
}

const numbersIn = (said: string): number[] => [...said.matchAll(/^#(\d+) /gm)].map(([, n]) => Number(n))

/** In between a command and the daemon: a confirmation of what was read is not passed on. */
const withoutConfirmations = async (team: TeamBox): Promise<{ socket: string; asked: Promise<unknown> }> => {
  const socket = join(team.root, 'between.sock')
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    if (path === routes.moveCursor.path) {
      server.emit('confirmation')
      return
    }
    const passed = request({ socketPath: team.paths.socket, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((done) => server.listen(socket, done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { socket, asked: once(server, 'confirmation') }
}

describe('what is unread', () => {
  test('stays so when the reader is killed after printing it, and before saying so', async () => {
    const team = await withMessages(3)
    const { socket, asked } = await withoutConfirmations(team)
    const env: Env = { ...team.env, ...actingAs(team, 'ada'), REIN_SOCKET: socket }
    const command = [join(repository, 'bin/rein.cjs'), 'chat', 'read', 'build', '--unread']
    const reader = spawn(process.execPath, command, { env, cwd: team.cwd })
    const said = text(reader.stdout)
    await asked
    reader.kill('SIGKILL')
    expect(numbersIn(await said)).toEqual([1, 2, 3])
    expect(await team.unread()).toEqual({ ada: 3, user: 0 })

    const again = await runCli(team, command.slice(1), { env: actingAs(team, 'ada') })
    expect(numbersIn(again.stdout)).toEqual([1, 2, 3])
    expect(await team.unread()).toEqual({ ada: 0, user: 0 })
  })

  test('is read by two readers of one handle: nothing is missed, and the slower one takes nothing back', async () => {
    const team = await withMessages(10)
    const [slow, quick] = [team.as('ada'), team.as('ada')]
    const here = { cwd: team.cwd, room: 'build' }
    const first = await slow.posts({ ...here, unread: true, limit: 4 })
    const all = await quick.posts({ ...here, unread: true })
    expect([first.upTo, all.upTo]).toEqual([4, 10])
    expect(await quick.moveCursor({ ...here, upTo: all.upTo })).toMatchObject({ cursor: 10, unread: 0 })
    expect(await slow.moveCursor({ ...here, upTo: first.upTo })).toMatchObject({ cursor: 10, unread: 0 })

    for (const n of [11, 12, 13]) await team.say(`message ${n}`)
    const read = () => runCli(team, ['chat', 'read', 'build', '--unread'], { env: actingAs(team, 'ada') })
    const both = await Promise.all([read(), read()])
    expect([...new Set(both.flatMap(({ stdout }) => numbersIn(stdout)))]).toEqual([11, 12, 13])
    expect(await team.unread()).toEqual({ ada: 0, user: 0 })
  })
})

describe('a place in a room', () => {
  const refusal = async (team: TeamBox, ...args: string[]) => {
    const { code, stdout, stderr } = await runCli(team, ['chat', 'read', 'build', ...args])
    expect([code, stdout]).toEqual([5, ''])
    const json = await runCli(team, ['chat', 'read', 'build', ...args, '--json'])
    return { stderr, code: (JSON.parse(json.stdout) as { error: { code: string } }).error.code }
  }

  test('that is not there yet, or no longer, is named, and nobody’s cursor goes there', async () => {
    const team = await withMessages(10)
    expect(await refusal(team, '--after', '99')).toEqual({
      code: 'cursor_ahead',
      stderr: 'rein: build ends at 10; there is no 99 yet.\n      Read on from 10.\n',
    })
    const here = { cwd: team.cwd, room: 'build' }
    expect(await codeOf(team.as('ada').moveCursor({ ...here, upTo: 99 }))).toBe('cursor_ahead')
    expect(await team.unread()).toEqual({ ada: 10, user: 0 })

    await runCli(team, ['chat', 'archive', 'build', '--keep', '2'])
    expect(await refusal(team, '--after', '3')).toEqual({
      code: 'cursor_expired',
      stderr: 'rein: The messages of build before 9 are archived; 3 is gone.\n      Read on from 8.\n',
    })
    expect(numbersIn((await runCli(team, ['chat', 'read', 'build', '--after', '8'])).stdout)).toEqual([9, 10])
  })

  test('is the same after an archive in the middle of reading: what is gone is counted, and what is left comes once', async () => {
    const team = await withMessages(10)
    const here = { cwd: team.cwd, room: 'build' }
    const reader = team.as('ada')
    const page = await reader.posts({ ...here, unread: true, limit: 4 })
    const archived = await team.client().archiveRoom({ ...here, keep: 3 })
    expect(archived).toMatchObject({ archived: 7, upTo: 7 })
    const kept = readFileSync(archived.file ?? '', 'utf8')
      .trim()
      .split('\n')
    expect(kept.map((line) => JSON.parse(line) as object)).toMatchObject(
      upTo(7).map((n) => ({ n, text: `message ${n}`, author: { kind: 'user' } })),
    )
    expect(await team.unread()).toEqual({ ada: 10, user: 0 })
    expect(await reader.moveCursor({ ...here, upTo: page.upTo })).toMatchObject({ cursor: 4, unread: 6 })

    const rest = await runCli(team, ['chat', 'read', 'build', '--unread', '--json'], { env: actingAs(team, 'ada') })
    const { posts, ...more } = JSON.parse(rest.stdout) as PostsView
    expect(more).toEqual({ room: 'build', left: 0, archived: 3, upTo: 10 })
    expect(posts.map(({ n }) => n)).toEqual([8, 9, 10])
    expect(await team.unread()).toEqual({ ada: 0, user: 0 })
    expect(await team.say('next')).toMatchObject({ n: 11 })
  })
})
