import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { exportBundle, type ExportRequest } from '../src/features/sessions/bundles/exporter.ts'
import { importBundle } from '../src/features/sessions/bundles/importer.ts'
import { openShadow, type Shadow } from '../src/features/sessions/snapshots/shadow.ts'
import { seeded } from '../test/support/seeded.ts'
import { type Findings, ms, timed, type Topic } from './measure.ts'

const [fileCount, turnCount, changedInTurn] = [2000, 20, 40]
const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
const mostOfPatches = 1 / 8

const random = seeded(1)
const lineOf = (n: number): string => `export const value${n} = ${random()}`
const pathOf = (n: number): string => `src/part-${n % 50}/file-${n}.ts`

const git = (cwd: string, ...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args], { cwd, env })

/** A repository with a commit that its remote has, and the lines of its files. */
const fill = (root: string): string[][] => {
  const files = Array.from({ length: fileCount }, () => Array.from({ length: 120 }, (_, n) => lineOf(n)))
  for (const [n, lines] of files.entries()) save(root, n, lines)
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'first')
  git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  return files
}

const save = (root: string, n: number, lines: readonly string[]): void => {
  mkdirSync(join(root, pathOf(n), '..'), { recursive: true })
  writeFileSync(join(root, pathOf(n)), `${lines.join('\n')}\n`)
}

/** Edits a few lines in files that were mostly edited before, and adds two files. */
const work = (root: string, files: string[][], turn: number): void => {
  for (let n = 0; n < changedInTurn; n += 1) {
    const which = turn * 8 + n
    const lines = files[which] ?? []
    for (let edit = 0; edit < 12; edit += 1) lines[Math.floor(random() * lines.length)] = lineOf(edit)
    save(root, which, lines)
  }
  for (const more of [0, 1])
    save(
      root,
      fileCount + turn * 2 + more,
      Array.from({ length: 120 }, (_, n) => lineOf(n)),
    )
}

const requestOf = (root: string, file: string, ids: readonly string[], start: string): ExportRequest => ({
  file,
  isRedacting: false,
  session: 'ses_0123456789ab',
  agent: 'bench',
  driver: 'claude',
  cli: '2.1.197',
  at: '',
  cwd: root,
  root,
  start,
  turns: ids.map((snapshot, index) => ({
    label: String(index + 1),
    prompt: 'do it',
    reply: 'done',
    tools: [],
    model: null,
    startedAt: index,
    endedAt: index,
    snapshot,
  })),
  conversation: { id: 'c', pack: async () => [{ name: 'transcript.jsonl', content: '{"type":"user"}\n' }] },
})

const run = async (): Promise<Findings> => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-bench-bundles-'))
  try {
    return await measure(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const kib = (size: number): string => `${Math.round(size / 1024)} KiB`

const measure = async (dir: string): Promise<Findings> => {
  const [root, clone, file] = ['tree', 'clone', 'bench.rein'].map((name) => join(dir, name)) as [string, string, string]
  mkdirSync(root)
  const files = fill(root)
  git(dir, 'clone', '-q', root, clone)
  const shadow = (tree: string): Promise<Shadow> =>
    openShadow({ dir: join(dir, 'shadows'), tree, ports: { now: Date.now, env } })
  const own = await shadow(root)
  const { id: start } = await own.snapshot()
  const ids: string[] = []
  for (let turn = 0; turn < turnCount; turn += 1) {
    work(root, files, turn)
    ids.push((await own.snapshot()).id)
  }
  const patches = await Promise.all(ids.map((id) => own.patch(start, id)))
  const common = { shadow, newId: (prefix: string) => `${prefix}_1`, env, onProgress: () => undefined }
  let bytes = 0
  const exportMs = await timed(async () => {
    const ports = { ...common, scratch: join(dir, 'scratch'), now: Date.now }
    bytes = (await exportBundle(ports, requestOf(root, file, ids, start))).bytes
  })
  const importMs = await timed(() =>
    importBundle(
      {
        ...common,
        quarantine: join(dir, 'quarantine'),
        check: async () => undefined,
        takeUp: async () => 'conversation',
      },
      { file, dir: clone, isNamed: true, isAgreed: true, isFull: true },
    ),
  )
  const plain = patches.reduce((sum, patch) => sum + Buffer.byteLength(patch), 0)
  const squeezed = gzipSync(patches.join('')).length
  return {
    head: [`${turnCount} turns in ${fileCount} files`, 'size', 'time'],
    rows: [
      ['a bundle', kib(bytes), `export ${ms(exportMs)}, import onto a clone ${ms(importMs)}`],
      ['the same as a patch for each turn', kib(plain), ''],
      ['these patches, squeezed by gzip', kib(squeezed), ''],
    ],
    goals: [
      { what: 'a bundle, of what the patches take', value: bytes / plain, limit: mostOfPatches, kind: 'at most' },
    ],
    notes: [`Each turn edits 12 lines in ${changedInTurn} files, most of which were edited before, and adds two.`],
  }
}

export const bundles: Topic = { title: 'Bundles: how large a session is that travels', run }
