import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBox } from './harness.ts'

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

test('commands that trust at the same time, and one that takes trust back, lose nothing of each other', async () => {
  const box = createBox()
  const places = ['gone', ...Array.from({ length: 6 }, (_, n) => `place-${n}`)].map((name) => join(box.root, name))
  for (const place of places) settings(place, './run')
  const [gone = '', ...others] = places
  expect(await box.rein(['trust', gone, '--yes'])).toMatchObject({ code: 0 })
  const done = await Promise.all([
    box.rein(['trust', gone, '--revoke']),
    ...others.map((place) => box.rein(['trust', place, '--yes'])),
  ])
  expect(done.map(({ code }) => code)).toEqual(places.map(() => 0))
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
