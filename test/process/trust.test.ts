import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeLock } from '../../src/base/store/lock.ts'
import { trustFile } from '../../src/agents/trust/trusted.ts'
import { createBox, repository } from './harness.ts'

const settings = (cwd: string, command: string): void => {
  mkdirSync(join(cwd, '.claude'), { recursive: true })
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] }
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks }))
}

test('rein trust shows what would run, trusts it as it is, and takes that back', async () => {
  const box = createBox()
  settings(box.cwd, 'echo \u001b[2Jhi')
  const asked = await box.rein(['trust'])
  expect(asked).toMatchObject({ code: 5, stderr: expect.stringContaining('--yes') })
  expect(asked.stdout).toContain('  .claude/settings.json: hook SessionStart: echo \\u{1b}[2Jhi')
  expect((await box.rein(['trust', '--list'])).stdout).toContain('No directory')

  const trusted = await box.rein(['trust', '--yes', '--json'])
  expect(JSON.parse(trusted.stdout)).toMatchObject({
    directory: box.cwd,
    items: expect.arrayContaining([
      expect.objectContaining({ by: 'claude', what: 'hook SessionStart', trustedBy: 'rein' }),
    ]),
  })
  expect(JSON.parse((await box.rein(['trust', '--list', '--json'])).stdout)).toEqual({
    directories: [box.cwd],
    damaged: [],
  })
  expect((await box.rein(['trust', '--yes'])).stdout).toContain('is trusted')

  const revoked = await box.rein(['trust', '--revoke', '--json'])
  expect(JSON.parse(revoked.stdout)).toEqual({ directory: box.cwd, revoked: 2 })
  expect((await box.rein(['trust', '--revoke'])).stdout).toContain('was not trusted')
})

/** Resolves when a command has come to this file, or has ended. It opens it for a moment each time, so it is looked at all the time. */
const untilAt = async (child: ChildProcess, file: string): Promise<void> => {
  while (child.exitCode === null && !hasOpen(child.pid ?? 0, file)) await setImmediate()
}

const hasOpen = (pid: number, file: string): boolean => {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === file)
  } catch {
    return false
  }
}

test('commands that trust at the same time, and one that takes trust back, lose nothing of each other', async () => {
  const box = createBox()
  const places = ['gone', ...Array.from({ length: 4 }, (_, n) => `place-${n}`)].map((name) => join(box.root, name))
  for (const place of places) settings(place, './run')
  const [gone = '', ...others] = places
  expect(await box.rein(['trust', gone, '--yes'])).toMatchObject({ code: 0 })

  const file = trustFile(box.paths.state)
  const lock = takeLock(`${file}.lock`)
  const before = readFileSync(file, 'utf8')
  const commands = [[gone, '--revoke'], ...others.map((place) => [place, '--yes'])].map((args) => {
    const program = [join(repository, 'bin/rein.cjs'), 'trust', ...args]
    const child = spawn(process.execPath, program, { cwd: box.cwd, env: box.env, stdio: 'ignore' })
    return { child, ended: once(child, 'exit') }
  })
  await Promise.all(commands.map(({ child }) => untilAt(child, `${file}.lock`)))
  expect(readFileSync(file, 'utf8')).toBe(before)
  lock?.release()
  expect(await Promise.all(commands.map(({ ended }) => ended))).toEqual(commands.map(() => [0, null]))
  const { directories } = JSON.parse((await box.rein(['trust', '--list', '--json'])).stdout) as {
    directories: string[]
  }
  expect(directories.toSorted()).toEqual(others.toSorted())
})

test('a directory with nothing to run has nothing to trust; one that there is not is an error', async () => {
  const box = createBox()
  expect((await box.rein(['trust'])).stdout).toContain('runs by itself')
  expect(await box.rein(['trust', '/nowhere/at/all'])).toMatchObject({ code: 3 })
  expect(await box.rein(['trust', '--list', '--revoke'])).toMatchObject({ code: 2 })
})

test('a start is refused with the list, and works with --trust; so does a run', async () => {
  const box = createBox()
  settings(box.cwd, './evil')
  const up = ['up', 'ada', '--host', 'stream', '--driver', 'claude']
  const refused = await box.rein(up)
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('hook SessionStart: ./evil') })
  expect(refused.stderr).toContain(`rein trust '${box.cwd}'`)
  const run = await box.rein(['run', 'Hi', '--driver', 'claude'])
  expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining('hook SessionStart: ./evil') })
  expect(await box.rein([...up, '--trust'])).toMatchObject({ code: 0 })
  expect(readFileSync(join(box.paths.state, 'trusted-rules'), 'utf8')).toContain(JSON.stringify(box.cwd))
})
