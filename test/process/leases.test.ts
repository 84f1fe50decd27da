import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { LeaseView } from '../../src/contract/routes/leases.ts'
import { killProcess } from '../support/kill.ts'
import { actingAs, type Box, gone, repository } from './harness.ts'
import { runCli } from './in-process-cli.ts'
import { call, tokenOf } from './mcp-call.ts'
import { createTaskBox } from './task-box.ts'
import { createTeam } from './team-box.ts'

const handles = Array.from({ length: 8 }, (_, n) => `a${n + 1}`)

/** The command line as an agent that takes a lease when it is free; resolves when it says that it waits. */
const waiting = async (box: Box, handle: string, glob: string): Promise<{ taken: Promise<string> }> => {
  const args = [join(repository, 'bin/rein.cjs'), 'lease', 'take', glob, '--wait', '--json']
  const child = spawn(process.execPath, args, { cwd: box.cwd, env: { ...box.env, ...actingAs(box, handle) } })
  const taken = text(child.stdout)
  const [said] = (await once(child.stderr, 'data')) as [Buffer]
  expect(String(said)).toContain('Waiting: ')
  return { taken }
}

const killDaemon = async (box: Box): Promise<void> => {
  const pid = box.registered()?.pid ?? 0
  killProcess(pid)
  await gone(pid)
}

describe('leases', () => {
  test('of eight agents one has it, also after the daemon was killed; others wait, or are told who', async () => {
    const box = await createTeam(handles)
    const { cwd } = box
    const raced = await Promise.allSettled(
      handles.map((handle) => box.as(handle).takeLease({ cwd, glob: 'src/**', why: 'the parser' })),
    )
    const won = raced.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(won).toHaveLength(1)
    const winner = won[0]?.holder ?? ''
    const lost = raced.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
    expect(lost.filter(({ message }) => message.startsWith(`${winner} holds src/** (exclusive)`))).toHaveLength(7)

    await killDaemon(box)
    expect(await box.client().leases({ cwd })).toEqual(won)
    const loser = handles.find((handle) => handle !== winner) ?? ''
    const token = tokenOf(box, loser)
    expect(await call(box, token, 'take_lease', { glob: 'src/a.ts' })).toMatchObject({
      isError: true,
      text: expect.stringContaining(`${winner} holds src/** (exclusive) for "the parser" until `),
    })
    expect((await call(box, token, 'list_leases')).text).toContain(`${winner}: src/** (exclusive)`)
    expect((await call(box, token, 'release_lease', { lease: 'src/**' })).isError).toBe(true)

    const { taken } = await waiting(box, loser, 'src/a.ts')
    const own = await runCli(box, ['lease', 'release', 'src/**'], { env: actingAs(box, winner) })
    expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(`src/** of ${winner} is released`)])
    expect(JSON.parse(await taken)).toMatchObject({ glob: 'src/a.ts', holder: loser, ended: null })
  })

  test('on the command line: taken, renewed, listed, refused with an exit code, and taken away', async () => {
    const box = await createTeam(['ada'])
    const lease = (...args: string[]) => runCli(box, ['lease', ...args])
    const asAda = (...args: string[]) => runCli(box, ['lease', ...args], { env: actingAs(box, 'ada') })
    expect((await asAda('take', 'src', '--shared', '--for', '5m', '--why', 'tests')).stdout).toMatch(
      /^ada holds src \(shared\) until .*\(lease_/,
    )
    expect((await lease('take', 'src/a.ts', '--shared')).code).toBe(0)
    const refused: [string[], number, string][] = [
      [['take', 'src'], 5, 'ada holds src (shared) for "tests"'],
      [['take', '../x'], 2, 'is outside of'],
      [['take', 'x', '--for', '2d'], 2, '24h is the most'],
      [['take', 'x', '--shared', '--exclusive'], 2, 'not both'],
      [['renew', 'src'], 5, 'It is not yours'],
      [['release', 'docs'], 3, 'There is no lease on "docs" here.'],
    ]
    for (const [args, code, words] of refused) {
      const result = await lease(...args)
      expect([args, result.code, result.stderr]).toEqual([args, code, expect.stringContaining(words)])
    }
    expect((await asAda('release', 'src/a.ts')).code).toBe(5)
    const [before] = JSON.parse((await lease('list', 'src/b.ts', '--json')).stdout) as LeaseView[]
    const [renewed] = JSON.parse((await asAda('renew', 'src', '--for', '1h', '--json')).stdout) as LeaseView[]
    expect(renewed?.until).toBeGreaterThan(before?.until ?? Number.POSITIVE_INFINITY)
    expect((await lease('release', 'src')).stdout).toContain('src of ada is taken away')
    expect((await lease('list')).stdout).toMatch(/^you +src\/a\.ts +shared/m)
    expect((await lease('list', '--all')).stdout).toMatch(/^ada +src +shared +taken away /m)
  })

  test('a task shows what its agents hold; with its end they hold nothing', async () => {
    const box = createTaskBox()
    await box.orchestrate({ agents: 1 })
    const { cwd } = box
    const { id } = await box.as('parser-1').takeLease({ cwd, glob: 'src' })
    expect((await box.show()).leases).toMatchObject([{ id, holder: 'parser-1' }])
    expect((await runCli(box, ['task', 'show', 'parser'])).stdout).toContain('Held: src (parser-1)')
    expect((await box.client().stopTask({ cwd, name: 'parser' })).leases).toEqual([])
    expect(await box.client().leases({ cwd, all: true })).toMatchObject([{ id, ended: 'released' }])
  })
})
