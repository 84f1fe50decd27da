import path from 'node:path'
import type { CheckFinding, RulesCheck } from '../../../contract/outputs/rule-tools.ts'
import type { World } from '../types.ts'
import { checkFile, type FileRules } from './check-file.ts'
import { readText } from './files.ts'

const atOnce = 16

/** Looks through files; `onProgress` hears how many are done. */
export const checkFiles = async (
  rules: FileRules,
  files: readonly string[],
  world: World,
  onProgress: (done: number) => void,
): Promise<Pick<RulesCheck, 'files' | 'skipped' | 'findings'>> => {
  const skipped = { binary: 0, large: 0, unreadable: 0 }
  const found: CheckFinding[][] = []
  let done = 0
  const work = files.entries()
  const look = async (): Promise<void> => {
    for (const [index, file] of work) {
      const read = await readText(file)
      if ('skipped' in read) skipped[read.skipped] += 1
      else {
        const relative = path.relative(world.root, file)
        const shown = relative.startsWith('..') ? file : relative
        found[index] = await checkFile(rules, shown, read.text, world)
      }
      onProgress((done += 1))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, look))
  const left = skipped.binary + skipped.large + skipped.unreadable
  return { files: files.length - left, skipped, findings: found.flat() }
}
