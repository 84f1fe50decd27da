import { join } from 'node:path'
import type { ReplayedTurnView } from '../../contract/outputs/replay.ts'
import type { RecordedTree } from '../../contract/routes/replay.ts'
import { openShadow, type Shadow } from '../../features/sessions/snapshots/shadow.ts'
import { compareFiles } from './compare.ts'
import { mapText, reversed } from './paths.ts'
import type { Recording } from './recording.ts'
import { isRule } from './rules.ts'
import type { Stage } from './stage.ts'

type Compared = ReplayedTurnView['tree']

/** Trees of the same id are equal; others are compared file by file, since inner repositories arrive as plain files. */
export const compareTrees = async (
  { shadow }: Recording,
  stage: Stage,
  before: RecordedTree | null,
  now: RecordedTree | null,
): Promise<Compared> => {
  const ids = { recorded: before?.tree ?? null, replayed: now?.tree ?? null }
  if (before === null || now === null || before.tree === now.tree) return { ...ids, files: [] }
  const ports = { now: Date.now, env: process.env }
  const own = await openShadow({ dir: join(stage.state, 'snapshots'), tree: now.root, ports })
  const [was, is] = [await shadow.list(before.snapshot), await own.list(now.snapshot)]
  const files: Compared['files'] = []
  for (const one of compareFiles(was, is)) {
    const { path } = one
    if (stage.hasOtherRules && isRule(path)) continue
    const isSameKind = kindOf(was.get(path)) === kindOf(is.get(path))
    const [wasText, isText] = [await readText(shadow, before, path), await readText(own, now, path)]
    // Files that differ only by the paths of the two trees count as equal.
    const isMoved = wasText !== isText && wasText === mapText(isText, reversed(stage.paths))
    if (!isSameKind || !isMoved) files.push(one)
  }
  return { ...ids, files }
}

/** Everything about a path but its content. */
const kindOf = (listed: string | undefined): string | undefined => listed?.replace(/ [0-9a-f]{40,64}/, '')

const readText = async (shadow: Shadow, { snapshot }: RecordedTree, path: string): Promise<string> =>
  (await shadow.read(snapshot, path))?.content.toString('latin1') ?? ''
