import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ReinError } from '../../src/contract/errors.ts'
import { withBundle } from '../../src/cli/replay/bundle.ts'
import { bundle, files, said, soundTree, talk, turn, withTree } from '../support/forged-bundle.ts'
import { blob, type ForgedEntry, type ForgedObject, packOf, tree } from '../support/forged-pack.ts'
import { hostileBundles, suspiciousFiles } from '../support/hostile-bundles.ts'
import { type Box, createBox } from './harness.ts'

const traps = [
  'ssh',
  'curl',
  'wget',
  'gpg',
  'less',
  'vi',
  'tar',
  'unzip',
  'patch',
  'perl',
  'python3',
  'evil',
  'git-lfs',
  'git-remote-ext',
  'git-remote-https',
  'rm',
  'cp',
  'touch',
]

/** A user whose git runs a trap wherever it can be made to, on a machine where every other program is one. */
const trappedBox = (): Box & { canaries: string; into: string } => {
  const box = createBox()
  const [bin, canaries] = [join(box.root, 'traps'), join(box.root, 'canaries')]
  for (const dir of [bin, canaries]) mkdirSync(dir)
  for (const name of traps) {
    writeFileSync(join(bin, name), `#!/bin/sh\n: > '${canaries}/${name}'\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const evil = join(bin, 'evil')
  const config = ['[core]', 'fsmonitor', 'sshCommand', 'pager', 'editor'].map((key) =>
    key === '[core]' ? key : `\t${key} = ${evil}`,
  )
  const more = [
    `\thooksPath = ${bin}`,
    '[filter "evil"]',
    `\tsmudge = ${evil}`,
    `\tclean = ${evil}`,
    `\trequired = true`,
    '[init]',
    `\ttemplateDir = ${bin}`,
    '[credential]',
    `\thelper = ${evil}`,
    '[uploadpack]',
    `\tpackObjectsHook = ${evil}`,
  ]
  writeFileSync(join(box.env['HOME'] ?? '', '.gitconfig'), [...config, ...more, ''].join('\n'))
  box.env['PATH'] = `${bin}:${box.env['PATH']}`
  return { ...box, canaries, into: join(box.root, 'into') }
}

/** Everything outside of Rein's own directory, and what is left in quarantine: names, kinds, permissions, sizes. */
const listing = ({ root, paths }: Pick<Box, 'root' | 'paths'>): string[] => {
  const quarantine = join(paths.state, 'quarantine')
  const outside = readdirSync(root).filter((name) => name !== 'rein' && name !== 'bundle')
  const left = existsSync(quarantine) ? readdirSync(quarantine).map((name) => join(quarantine, name)) : []
  return [...outside.map((name) => join(root, name)), ...left].flatMap(linesFor)
}

const linesFor = (path: string): string[] => {
  const found = lstatSync(path)
  if (!found.isDirectory()) return [`${path} ${found.mode} ${found.size}`]
  return [`${path} ${found.mode}`, ...readdirSync(path).flatMap((name) => linesFor(join(path, name)))]
}

const take = (box: ReturnType<typeof trappedBox>, content: Buffer, yes = true) => {
  const file = join(box.root, 'bundle')
  writeFileSync(file, content)
  return box.client().importSession({ cwd: box.cwd, file, into: box.into, full: true, yes, env: box.env })
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('what somebody else made', () => {
  test(`each of ${Object.keys(hostileBundles).length} hostile bundles is refused, writes nothing and runs nothing`, async () => {
    expect(Object.keys(hostileBundles).length).toBeGreaterThanOrEqual(100)
    const box = trappedBox()
    await box.client().hello()
    const before = listing(box)
    const taken: string[] = []
    for (const [name, content] of Object.entries(hostileBundles)) {
      const problem = await take(box, content).then(
        () => null,
        (cause: unknown) => cause,
      )
      // What goes wrong by itself is no refusal.
      if (!(problem instanceof ReinError) || ['failed', 'unavailable'].includes(problem.code))
        taken.push(`${name}: ${String(problem)}`)
      else if (listing(box).join() !== before.join()) taken.push(`${name}: something was written`)
    }
    expect(taken).toEqual([])
    expect(readdirSync(box.canaries)).toEqual([])
  })

  test('control: the sound one is taken in, and a write or a run would have been seen', async () => {
    const box = trappedBox()
    const before = listing(box)
    const imported = await take(box, bundle())
    expect(imported.isDone).toBe(true)
    expect(readFileSync(join(box.into, 'readme.md'), 'utf8')).toBe('read me\n')
    expect(listing(box)).not.toEqual(before)
    execFileSync('evil', { env: { PATH: box.env['PATH'] ?? '' } })
    expect(readdirSync(box.canaries)).toEqual(['evil'])
  })

  test('none of them is replayed either, and nothing of them is left', async () => {
    const box = trappedBox()
    vi.stubEnv('TMPDIR', join(box.root, 'tmp'))
    mkdirSync(join(box.root, 'tmp'))
    const before = listing(box)
    const file = join(box.root, 'bundle')
    const read = (content: Buffer): Promise<string> => {
      writeFileSync(file, content)
      const source = { file, cwd: box.cwd, env: box.env, onProgress: () => undefined }
      return withBundle(source, { from: undefined, to: undefined }, async ({ turns }) => `played ${turns.length}`)
    }
    const taken: string[] = []
    for (const [name, content] of Object.entries({ ...hostileBundles, ...oddRoots })) {
      const problem = await read(content).catch((cause: unknown) => cause)
      // That there are no files before its turn would be another reason.
      if (!(problem instanceof ReinError) || problem.code === 'not_found') taken.push(`${name}: ${String(problem)}`)
      else if (listing(box).join() !== before.join()) taken.push(`${name}: something was written`)
    }
    expect(taken).toEqual([])
    expect(await read(bundle(said({ start: files(soundTree) })))).toBe('played 1')
    expect(listing(box)).toEqual(before)
    expect(readdirSync(box.canaries)).toEqual([])
  })

  test('what could make something run is shown first, and runs nothing when it is written', async () => {
    const box = trappedBox()
    const before = listing(box)
    const shown = await take(box, suspicious(), false)
    expect(shown.isDone).toBe(false)
    expect(shown.review.map(({ path }) => path).toSorted()).toEqual(
      [...Object.keys(suspiciousFiles), 'link', 'run.sh'].toSorted(),
    )
    expect(listing(box)).toEqual(before)
    expect((await take(box, suspicious())).isDone).toBe(true)
    expect(readFileSync(join(box.into, '.claude/settings.json'), 'utf8')).toContain('evil')
    expect(readdirSync(box.canaries)).toEqual([])
  })

  test('so is a program that git does not know as one: by its permissions beside the tree, or by how it begins', async () => {
    const box = trappedBox()
    const [text, script, large] = ['text\n', '#!/bin/sh\nevil\n', `#!/bin/sh\n${'x'.repeat(2 ** 21)}`].map((one) =>
      blob(one),
    ) as [ForgedObject, ForgedObject, ForgedObject]
    const top = tree(['100644', 'a', text], ['100644', 'b', script], ['100644', 'c', large], ['100644', 'd', text])
    const shown = await take(box, withTree(top, [text, script, large], { modes: [['a', 0o755]] }), false)
    expect([shown.isDone, shown.review]).toEqual([
      false,
      ['a', 'b', 'c'].map((path) => ({ path, class: 'program', reason: 'a program' })),
    ])
  })

  test('so is what only an earlier turn has, if one can go back to that turn', async () => {
    const box = trappedBox()
    const before = listing(box)
    const shown = await take(box, hiding(), false)
    const of = 'settings, hooks or instructions of an agent'
    expect([shown.isDone, shown.review]).toEqual([
      false,
      [
        { path: '.claude/settings.json', class: 'agent', reason: `${of}, before the first turn` },
        { path: '.claude/settings.json', class: 'agent', reason: `${of}, in turn 1` },
        { path: 'run.sh', class: 'program', reason: 'a program' },
      ],
    ])
    expect(listing(box)).toEqual(before)
    expect((await take(box, hiding())).isDone).toBe(true)
    expect(existsSync(join(box.into, '.claude'))).toBe(false)
  })

  test('a directory with something in it, and a repository of something else, are left alone', async () => {
    const box = trappedBox()
    writeFileSync(join(box.cwd, 'mine.txt'), 'mine')
    const into = (dir: string) => take({ ...box, into: dir }, bundle())
    await expect(into(box.cwd)).rejects.toMatchObject({
      code: 'refused',
      hint: expect.stringMatching(/^Name a new directory: --into '.*-2'$/),
    })
    execFileSync('git', ['init', '-q', box.cwd], { env: { PATH: process.env['PATH'] ?? '', HOME: '/' } })
    execFileSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@localhost', 'commit', '-q', '--allow-empty', '-m', 'x'],
      { cwd: box.cwd, env: { PATH: process.env['PATH'] ?? '', HOME: '/' } },
    )
    await expect(into(join(box.cwd, 'new'))).rejects.toMatchObject({ code: 'refused' })
    expect(existsSync(join(box.cwd, 'new'))).toBe(false)
  })
})

/** Each stands for the scratch directory in every command, which would be another one then. */
const oddRoots = Object.fromEntries(
  ['/src/a b', "/src/'", '/src/$(evil)', '/src/../evil', '/src//evil', '/src/\n'].map((root) => [
    `held in ${JSON.stringify(root)}`,
    bundle(said({ start: files(soundTree), from: { conversation: 'c', root } })),
  ]),
)

/** A hook before the first turn, another after it, none after the second; the program is always there. */
const hiding = (): Buffer => {
  const program = blob('#!/bin/sh\n')
  const hooks = ['{}', '{"hooks":{}}'].map((text) => blob(text))
  const dirs = hooks.map((hook) => tree(['100644', 'settings.json', hook]))
  const run: ForgedEntry = ['100755', 'run.sh', program]
  const [start, first] = dirs.map((dir) => tree(['40000', '.claude', dir], run)) as [ForgedObject, ForgedObject]
  const last = tree(run)
  const turns = [turn({ files: files(first) }), turn({ label: '2', files: files(last) })]
  return bundle(said({ start: files(start), turns }), [
    ['conversation/transcript.jsonl', talk],
    ['snapshots.pack', packOf(program, ...hooks, ...dirs, start, first, last)],
  ])
}

/** All of them, a program and a link. */
const suspicious = (): Buffer => {
  const objects: ForgedObject[] = []
  const add = (object: ForgedObject): ForgedObject => {
    objects.push(object)
    return object
  }
  const build = (under: string): ForgedObject => {
    const names = new Set(
      Object.keys(suspiciousFiles)
        .filter((path) => path.startsWith(under))
        .map((path) => path.slice(under.length).split('/')[0] ?? ''),
    )
    const entries = [...names].map((name): [string, string, ForgedObject] => {
      const file = suspiciousFiles[`${under}${name}`]
      return file === undefined ? ['40000', name, build(`${under}${name}/`)] : ['100644', name, add(file)]
    })
    const more: [string, string, ForgedObject][] =
      under === ''
        ? [
            ['120000', 'link', add(blob('package.json'))],
            ['100755', 'run.sh', add(blob('#!/bin/sh\nevil\n'))],
          ]
        : []
    const key = ([mode, name]: [string, string, ForgedObject]): string => (mode === '40000' ? `${name}/` : name)
    return add(
      tree(...[...entries, ...more].toSorted((a, b) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))))),
    )
  }
  const top = build('')
  return bundle(said({ turns: [turn({ files: files(top) })] }), [
    ['conversation/transcript.jsonl', talk],
    ['snapshots.pack', packOf(...objects)],
  ])
}
