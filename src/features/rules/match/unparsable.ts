import { filesOfBranch, hiding, madeWords, realPaths, unnamedFiles, wholeDirectory } from '../guard/hiding.ts'
import { patternsOfGlob, spelledOut } from '../guard/literals.ts'
import { requiredByShell } from '../guard/prefilter.ts'
import type { ShellFields } from './hidden.ts'

/** A function without a body runs nothing, and brackets are what a line that does not parse most often has. */
const functionHead = '[(] *[)]'

const marks: readonly (readonly [mark: string, isThere: RegExp])[] = [
  [madeWords, new RegExp(hiding.words.filter((pattern) => pattern !== functionHead).join('|'))],
  [unnamedFiles, new RegExp(hiding.files.join('|'))],
  [filesOfBranch, new RegExp(hiding.branches.join('|'))],
  // Where a path leads is not looked up for a line that no shell runs: any path may lead to a file of the rule.
  [wholeDirectory, /[./~]/],
  [realPaths, /[./~]/],
]

/**
 * Whether a part of a line that does not parse may hold what the fields ask for. It is looked at as `bin/rein-guard`
 * looks at a line while the daemon is dead: by expressions that fit every command that the rule stops.
 */
export const mayHoldUnparsed = (fields: ShellFields, isGuard: boolean): ((text: string) => boolean) => {
  // Nearly all lines parse, and a judge without a daemon compiles all rules for one line.
  let required: RegExp[] | null = null
  return (text) => {
    if (text.includes('\\')) return true
    if (required === null) {
      required = requiredByShell(fields, isGuard).map((clause) => new RegExp(clause.join('|')))
      const { reads, writes, deletes } = fields
      const globs = [reads, writes, deletes].flatMap((given) => given ?? []).filter((glob) => !glob.startsWith('!'))
      // A file is named by a path, by its own name, or not at all.
      const names = globs.flatMap(spelledOut).flatMap((glob) => patternsOfGlob(glob).slice(-1))
      if (globs.length > 0) required.push(new RegExp(['[./~>]', madeWords, unnamedFiles, ...names].join('|')))
    }
    const line = `"command": "${text.toLowerCase().replaceAll(/["']/g, '')}"`
    const found = marks.filter(([, isThere]) => isThere.test(line)).map(([mark]) => ` ${mark}`)
    const marked = `${line}${found.join('')}`
    return required.every((pattern) => pattern.test(marked))
  }
}
