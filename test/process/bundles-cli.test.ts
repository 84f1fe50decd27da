import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ImportedView, InspectedView } from '../../src/contract/routes/bundles.ts'
import { bundle, type Entry, files, readme, said, talk, turn, withEntry } from '../support/forged-bundle.ts'
import { packOf, tree } from '../support/forged-pack.ts'
import { createBox, type Box, select } from './harness.ts'
import { runCli } from './in-process-cli.ts'

const put = ({ root }: Box, name: string, content: Buffer): string => {
  const file = join(root, name)
  writeFileSync(file, content)
  return file
}

test('a bundle is looked into, taken in with a summary, and on the log', async () => {
  const box = createBox()
  const file = put(box, 'work.rein', bundle())
  const shown = await runCli(box, ['session', 'inspect', file])
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('ses_0123456789ab of ada')])
  const inspected = JSON.parse((await runCli(box, ['session', 'inspect', file, '--json'])).stdout) as InspectedView
  expect(inspected.bundle).toMatchObject({ driver: 'claude', base: null, turns: [{ label: '1', hasFiles: true }] })

  const { code, stdout } = await runCli(box, ['session', 'import', file, '--into', '../new', '--as', 'eve', '--json'])
  const imported = JSON.parse(stdout) as ImportedView
  expect([code, imported.isDone, imported.agent]).toEqual([0, true, 'eve'])
  expect(readFileSync(join(box.root, 'new/readme.md'), 'utf8')).toBe('read me\n')
  expect(imported.command).toBe(
    `rein up eve --driver claude --cwd ${join(box.root, 'new')} --prompt - < ${imported.summary}`,
  )
  expect(readFileSync(imported.summary ?? '', 'utf8')).toContain('| hello')
  expect(statSync(imported.summary ?? '').mode & 0o777).toBe(0o600)
  const [record] = select(box.paths, "SELECT body FROM record WHERE type = 'session.imported'")
  expect(JSON.parse(String(record?.['body']))).toMatchObject({ session: 'ses_0123456789ab', conversation: null })
  expect(JSON.parse((await runCli(box, ['ps', '--all', '--json'])).stdout)).toEqual([])
})

test('a directory that the files do not have is not made', async () => {
  const box = createBox()
  const file = put(box, 'work.rein', bundle(said({ at: 'nowhere' })))
  const { stdout } = await runCli(box, ['session', 'import', file, '--into', '../new', '--json'])
  expect((JSON.parse(stdout) as ImportedView).cwd).toBe(join(box.root, 'new'))
  expect(existsSync(join(box.root, 'new/nowhere'))).toBe(false)
})

test('a session without files goes on in a new directory, too', async () => {
  const box = createBox()
  const file = put(box, 'work.rein', bundle(said({ turns: [turn()] }), [['conversation/transcript.jsonl', talk]]))
  const taken = await runCli(box, ['session', 'import', file, '--into', '../new', '--json'])
  const whole = await runCli(box, ['session', 'import', file, '--into', '../whole', '--full', '--json'])
  expect([taken.code, whole.code]).toEqual([0, 0])
  expect((JSON.parse(taken.stdout) as ImportedView).cwd).toBe(join(box.root, 'new'))
  expect(['new', 'whole'].map((name) => readdirSync(join(box.root, name)))).toEqual([[], []])
})

test('with --full and --up the agent goes on in the conversation', async () => {
  const box = createBox({ REIN_AGENTS_HOST: 'stream' })
  const file = put(box, 'work.rein', bundle())
  const { code, stdout } = await runCli(box, [
    'session',
    'import',
    file,
    '--into',
    '../new',
    '--full',
    '--up',
    '--json',
  ])
  const { conversation } = JSON.parse(stdout) as ImportedView
  expect(code).toBe(0)
  const [agent] = JSON.parse((await runCli(box, ['ps', '--json'])).stdout) as { handle: string; conversation: string }[]
  expect(agent).toMatchObject({ handle: 'ada', conversation })
})

test('what a replay would run is shown, without a daemon; an agent cannot have one', async () => {
  const box = createBox()
  const program = tree(['100755', 'run.sh', readme])
  const entries: Entry[] = [
    ['conversation/transcript.jsonl', talk],
    ['snapshots.pack', packOf(readme, program)],
  ]
  const manifest = said({ start: files(program), turns: [turn({ files: files(program) })] })
  const file = put(box, 'work.rein', bundle(manifest, entries))
  const { code, stdout } = await runCli(box, ['session', 'replay', file, '--dry-run', '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      root: '/src/shop',
      turns: [{ turn: '1', prompt: 'hello' }],
      review: [{ path: 'run.sh', class: 'program', reason: 'a program' }],
    },
  ])
  expect(await runCli(box, ['session', 'replay', file, '--turns', '7'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('There is no turn 7 in this bundle.'),
  })
  expect((await runCli(box, ['session', 'replay', '../gone.rein'])).stderr).toContain('There is no file ')
  const byAgent = await runCli(box, ['session', 'replay', file, '--yes'], { env: { REIN_AGENT: 'ada' } })
  expect(byAgent.stderr).toContain('An agent may not replay a bundle.')
  expect(box.registered()).toBeNull()
})

test('what is refused says why, and how', async () => {
  const box = createBox()
  const taken = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(box, ['session', 'import', ...args])
    return [code, `${stdout}${stderr}`]
  }
  const whole = bundle()
  expect(await taken('nowhere.rein')).toEqual([3, expect.stringContaining('There is no file')])
  expect(await taken(put(box, 'text', Buffer.from('hello')))).toEqual([
    2,
    expect.stringContaining('is no bundle of Rein'),
  ])
  expect(await taken(put(box, 'half', whole.subarray(0, 200)))).toEqual([5, expect.stringContaining('ends too early')])
  expect(await taken(put(box, 'sound', whole))).toEqual([2, expect.stringMatching(/--into '\S+-2'/)])
  const program = put(box, 'program', withEntry('100755', 'run.sh'))
  expect(await taken(program, '--into', '../new')).toEqual([
    5,
    expect.stringMatching(/1 file can run[^]*a program: 1\n {4}run\.sh\n[^]*--yes/),
  ])
  expect(existsSync(join(box.root, 'new'))).toBe(false)
  expect(await taken(program, '--into', '../new', '--yes')).toEqual([
    0,
    expect.stringContaining('To go on: rein up ada'),
  ])
  const [record] = select(box.paths, "SELECT body FROM record WHERE type = 'session.imported'")
  expect(JSON.parse(String(record?.['body']))).toMatchObject({
    agreed: [{ class: 'program', count: 1, paths: ['run.sh'] }],
  })
  const { code, stderr } = await runCli(box, ['session', 'export', 'nobody', '-o', 'x.rein'])
  expect([code, stderr]).toEqual([3, expect.stringContaining('nobody')])
})
