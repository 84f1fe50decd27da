import { createHash } from 'node:crypto'
import { type FSWatcher, watch as watchDir } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { createAdapter } from './sdk/adapter.ts'
import { messageOf, wait } from './sdk/retry.ts'
import { channelNamed } from './config.ts'
import { type Change, changesBetween, type Files, globPattern, readTree } from './file-tree.ts'
import { type AdapterKind, ConfigError } from './kind.ts'
import { offer } from './offer.ts'
import { stateFile } from './state.ts'

const Config = z.strictObject({
  channel: channelNamed('watch'),
  path: z.string().min(1),
  files: z.array(z.string().min(1)).min(1).default(['*']),
  ignore: z.array(z.string().min(1)).default(['.git', 'node_modules']),
  debounceMs: z.int().min(10).max(60_000).default(500),
  text: z.string().trim().min(1).optional(),
})

interface State {
  /** Which files these are, by the config. */
  of: string
  files: Files
  /** How many messages there were: equal changes that come later are another one. */
  told: number
}

/** What the system did not tell of is found out by then. */
const rescanMs = 60_000
/** A burst without a pause is reported after this many pauses. */
const mostPauses = 10
const mostNames = 50

/** Tells that something happened in one of some directories; what it was is to be looked up. */
class Watchers {
  readonly #watchers = new Map<string, { watcher: FSWatcher; which: string }>()
  readonly #log: (line: string) => void
  #news = new AbortController()
  #isLimited = false

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  /** True if there are new ones: what happened in them before is not known. */
  watch(dirs: Map<string, string>): boolean {
    for (const [dir, { watcher, which }] of this.#watchers) if (dirs.get(dir) !== which) this.#end(dir, watcher)
    const added = [...dirs].filter(([dir, which]) => !this.#watchers.has(dir) && this.#begin(dir, which))
    return added.length > 0
  }

  close(): void {
    this.watch(new Map())
  }

  /** Whether something happened since it was asked last, or does within so long. */
  async happens(ms: number, signal: AbortSignal): Promise<boolean> {
    await wait(ms, AbortSignal.any([signal, this.#news.signal]))
    const { aborted } = this.#news.signal
    if (aborted) this.#news = new AbortController()
    return aborted
  }

  #begin(dir: string, which: string): boolean {
    try {
      const watcher = watchDir(dir, () => this.#news.abort())
      watcher.on('error', () => this.#end(dir, watcher))
      this.#watchers.set(dir, { watcher, which })
      return true
    } catch (cause) {
      if (!this.#isLimited) this.#log(`Some changes are seen only after ${rescanMs / 1000} s: ${messageOf(cause)}`)
      this.#isLimited = true
      return false
    }
  }

  #end(dir: string, watcher: FSWatcher): void {
    watcher.close()
    this.#watchers.delete(dir)
  }
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Tells of files that change. */
export const watch: AdapterKind<typeof Config> = {
  config: Config,
  start: async ({ channel, files, ignore, debounceMs, text, ...config }, { daemon, dir, state, log }) => {
    const root = path.resolve(dir, config.path)
    const isDir = await stat(root).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
    if (!isDir) throw new ConfigError(`path: ${root} is not a directory.`)
    const adapter = await createAdapter({ channel, log }, daemon)
    const file = stateFile<State>(state, 'watch', channel)
    const of = digest([root, files, ignore])
    const watchers = new Watchers(log)

    const look = async (): Promise<Files> => {
      const tree = await readTree(root, files.map(globPattern), ignore.map(globPattern))
      return watchers.watch(tree.dirs) ? look() : tree.files
    }
    const tell = async (changes: Change[], told: number): Promise<boolean> => {
      const key = digest([told, changes])
      // Names are quoted: one may hold a line end, and the next line would be its own.
      const lines = changes.slice(0, mostNames).map((change) => `${change.what} ${JSON.stringify(change.file)}`)
      const rest = changes.length > mostNames ? [`and ${changes.length - mostNames} more`] : []
      const { state: fate, reason } = await offer(
        adapter,
        [text ?? `Files changed in ${JSON.stringify(root)}:`, ...lines, ...rest].join('\n'),
        { key },
      )
      if (fate === 'refused') log(`A message was refused: ${reason}`)
      return fate !== 'ending'
    }
    adapter.run(async (signal) => {
      const kept = await file.read()
      let known = kept.of === of ? (kept.files ?? {}) : await look()
      let told = kept.told ?? 0
      await file.write({ of, files: known, told })
      log(`Watching ${Object.keys(known).length} files in ${root}`)
      while (!signal.aborted) {
        const found = await look()
        const changes = changesBetween(known, found)
        if (changes.length > 0) {
          if (!(await tell(changes, told))) break
          known = found
          told += 1
          await file.write({ of, files: known, told })
        }
        if (!(await watchers.happens(rescanMs, signal))) continue
        const end = performance.now() + mostPauses * debounceMs
        while (performance.now() < end && (await watchers.happens(debounceMs, signal)));
      }
      watchers.close()
    })
    return adapter
  },
}
