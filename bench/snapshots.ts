import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openShadow, type Shadow } from '../src/features/sessions/snapshots/shadow.ts'
import { seeded } from '../test/support/seeded.ts'
import { withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, timed, times, type Topic } from './measure.ts'

const fileCount = 50_000
const filesInDir = 20
const changedCount = 100
const rounds = 25
const coldRounds = 3
const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }

/** A repository with 50,000 files, each two commits of which differ in 100 of them. */
class Tree {
  readonly root: string
  readonly #random = seeded(1)

  constructor(root: string) {
    this.root = root
  }

  get name(): string {
    return basename(this.root)
  }

  async git(...args: string[]): Promise<void> {
    const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0']
    const child = spawn('git', [...who, ...args], { cwd: this.root, env, stdio: 'ignore' })
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}.`)
  }

  async fill(): Promise<void> {
    await mkdir(this.root)
    await this.git('init', '-q')
    await this.change(0, fileCount)
    await this.write('.gitignore', 'node_modules/\n*.log\n')
    for (let n = 0; n < 1000; n += 1) await this.write(`node_modules/package-${n}/index.js`, 'ignored\n')
    await this.git('add', '-A')
    await this.git('commit', '-qm', 'first')
    await this.git('tag', 'first')
    await this.change(0, changedCount)
    await this.git('commit', '-qam', 'second')
    await this.git('tag', 'second')
    await this.git('gc', '-q')
  }

  async change(from: number, count: number): Promise<void> {
    for (let n = from; n < from + count; n += 1) await this.write(pathOf(n), this.#text())
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(join(this.root, file, '..'), { recursive: true })
    await writeFile(join(this.root, file), text)
  }

  #text(): string {
    return Array.from({ length: 40 }, (_, line) => `export const value${line} = ${this.#random()}\n`).join('')
  }
}

/** The first hundred lie in a hundred directories. */
const pathOf = (n: number): string => {
  const dir = n % (fileCount / filesInDir)
  return `src/part-${dir % 50}/module-${Math.floor(dir / 50)}/file-${n}.ts`
}

interface Measured {
  cold: Record<'add' | 'plain' | 'repository', number[]>
  bytes: number
  scans: Record<'status' | 'snapshot', number[]>
  returns: Record<'checkout' | 'safety' | 'restore', number[]>
}

const measure = (): Promise<Measured> =>
  withBox(async ({ root }) => {
    const tree = new Tree(join(root, 'tree'))
    await tree.fill()
    const cold = await measureCold(tree, root)
    const shadow = await open(join(root, 'shadows'), tree.root)
    await shadow.snapshot()
    const scans = await measureScans(tree, shadow)
    const returns = await measureReturns(tree, shadow)
    const { bytes } = await shadow.usage()
    return { cold, bytes, scans, returns }
  })

const open = (dir: string, tree: string): Promise<Shadow> => openShadow({ dir, tree, ports: { now: Date.now, env } })

/** Nothing is known yet of any file; with a repository, its index and its objects are a start. */
const measureCold = async (tree: Tree, root: string): Promise<Measured['cold']> => {
  const plain = new Tree(join(root, 'plain'))
  await cp(tree.root, plain.root, { recursive: true, filter: (file) => !/\/(\.git|node_modules)$/.test(file) })
  const first = async (where: Tree, round: number): Promise<void> =>
    void (await (await open(join(root, `cold-${round}-${where.name}`), where.root)).snapshot())
  return interleave(
    {
      add: async (round) => {
        const place = [`--git-dir=${join(root, `git-${round}`)}`, `--work-tree=${plain.root}`]
        await plain.git(...place, 'init', '-q')
        return timed(() => plain.git(...place, 'add', '-A'))
      },
      plain: (round) => timed(() => first(plain, round)),
      repository: (round) => timed(() => first(tree, round)),
    },
    coldRounds,
  )
}

/** One file has changed since the last look, of git or of Rein. */
const measureScans = async (tree: Tree, shadow: Shadow): Promise<Measured['scans']> => {
  const afterChange = async (look: () => Promise<unknown>): Promise<number> => {
    await tree.change(7, 1)
    return timed(look)
  }
  const variants = {
    status: () => afterChange(() => tree.git('status')),
    snapshot: () => afterChange(() => shadow.snapshot()),
  }
  await interleave(variants, 2)
  return interleave(variants, rounds)
}

/** From the files of the second commit to those of the first. */
const measureReturns = async (tree: Tree, shadow: Shadow): Promise<Measured['returns']> => {
  await tree.git('checkout', '-qf', 'first')
  const { id } = await shadow.snapshot()
  const safeties: number[] = []
  const fromSecond = async (way: () => Promise<number>): Promise<number> => {
    await tree.git('checkout', '-qf', 'second')
    await tree.git('status')
    return way()
  }
  const variants = {
    checkout: () => fromSecond(() => timed(() => tree.git('checkout', '-q', 'first').then(() => tree.git('status')))),
    restore: () =>
      fromSecond(async () => {
        const safety = await shadow.snapshot({ before: id })
        safeties.push(safety.ms)
        return timed(() => shadow.restore(id, { since: safety.id }))
      }),
  }
  await interleave(variants, 1)
  safeties.length = 0
  return { ...(await interleave(variants, rounds)), safety: safeties }
}

const row = (what: string, values: number[], compared: string): string[] => [
  what,
  ms(median(values)),
  ms(percentile(values, 0.95)),
  compared,
]

const toFindings = ({ cold, bytes, scans, returns }: Measured): Findings => {
  const [plain, repository] = [median(cold.plain), median(cold.repository)].map((one) => one / median(cold.add)) as [
    number,
    number,
  ]
  const scan = median(scans.snapshot) / median(scans.status)
  const back = median(returns.restore) / median(returns.checkout)
  return {
    head: [`${fileCount} files`, 'p50', 'p95', 'compared'],
    rows: [
      row('`git add -A` of all files into an empty repository', cold.add, times(1)),
      row('the first snapshot of the same, a directory without git', cold.plain, times(plain)),
      row('the first snapshot in a repository that has them', cold.repository, times(repository)),
      row('`git status`, 1 file changed', scans.status, times(1)),
      row('a snapshot, 1 file changed', scans.snapshot, times(scan)),
      row(`\`git checkout\` of a commit, ${changedCount} files differ, and \`git status\``, returns.checkout, times(1)),
      row(`the snapshot for safety before, ${changedCount} files changed`, returns.safety, ''),
      row(`a restore of ${changedCount} files, verified`, returns.restore, times(back)),
    ],
    notes: [
      `All snapshots of the repository together need ${(bytes / 2 ** 20).toFixed(1)} MiB on disk beside what they share with it.`,
    ],
    goals: [
      { what: 'a snapshot, compared with `git status`:', value: scan, limit: 1.2, kind: 'at most' },
      { what: 'a restore, compared with `git checkout` and `git status`:', value: back, limit: 2, kind: 'at most' },
    ],
  }
}

export const snapshots: Topic = {
  title: 'Snapshots of a large work tree',
  run: async () => toFindings(await measure()),
}
