import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Driver, ForeignItem, ForeignPlace } from '../../drivers/contract.ts'
import { firstTree } from '../../drivers/foreign.ts'
import type { ReinPaths } from '../../base/util/paths.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'
import { workTree } from '../../base/util/work-tree.ts'
import { hashOf, type Text, trustedHashes } from './trusted.ts'

/** The commands that a directory makes one CLI run, and the text by which they are trusted. */
export interface Foreigners extends Required<Text> {
  items: ForeignItem[]
}

/** Null if the directory makes the CLI run nothing. */
export const findForeigners = (driver: Driver, place: ForeignPlace): Foreigners | null =>
  foreignersOf(driver.name, driver.foreign.items(place), realpathSync(place.cwd))

/**
 * By what is run, and by whom, in this repository: another clone may have the same command line for another script. A
 * work tree of it has the same place, so what was trusted counts there, too.
 */
const foreignersOf = (what: string, items: ForeignItem[], cwd: string): Foreigners | null => {
  if (items.length === 0) return null
  const place = firstTree(cwd)
  const top = workTree(cwd)?.root ?? cwd
  const said = items.map((item) => [relative(top, item.file), item.what, item.command])
  return { items, place, text: JSON.stringify(['repository', what, place, said]) }
}

/** The agents of a team file with their prompts. */
export const findTeam = (file: string, agents: Record<string, object>, cwd: string): Foreigners | null =>
  foreignersOf(
    'team',
    // An agent that only has a name is started like any other.
    Object.entries(agents)
      .filter(([, agent]) => Object.keys(agent).length > 0)
      .map(([handle, agent]) => ({ file, what: `agent ${handle}`, command: JSON.stringify(agent) })),
    realpathSync(cwd),
  )

export const areTrusted = async (state: string, { text }: Foreigners): Promise<boolean> =>
  (await trustedHashes(state)).has(hashOf(text))

/** A directory as it is looked at from this daemon or command. */
export const foreignPlace = (
  cwd: string,
  env: NodeJS.ProcessEnv,
  { state }: Pick<ReinPaths, 'state'>,
): ForeignPlace => ({
  cwd,
  env,
  own: {
    hooks: join(state, 'hooks'),
    rein: join(state, 'bin/rein'),
    programs: join(import.meta.dirname, '../bin'),
  },
})

const shownMost = 20
const longestLine = 300

/** Each with its file and its command line, without terminal control characters. */
export const linesOf = ({ items }: Foreigners, cwd: string): string[] =>
  items.map(({ file, what, command }) => {
    const within = relative(cwd, file)
    const shown = within.startsWith('..') ? file : within
    return escapeUnsafe(`  ${shown}: ${what}: ${command}`).replace(/[\t\n]+/g, ' ')
  })

/** As many lines as fit into an error; a person who is about to trust them sees all. */
export const someLinesOf = (found: Foreigners, cwd: string): string[] => {
  const lines = linesOf(found, cwd)
  const shown = lines
    .slice(0, shownMost)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))
  return lines.length > shownMost ? [...shown, `  … and ${lines.length - shownMost} more`] : shown
}
