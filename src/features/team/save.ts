import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { stringify } from 'smol-toml'
import { ReinError } from '../../contract/errors.ts'
import type { TeamAgent } from '../../contract/team.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { readTeamText, teamFileOf } from './hubs.ts'

/** Adds agents to the file of a directory's team; what stands there already, and everything else, stays as it is. */
export const saveAgents = async (dir: string, agents: readonly (TeamAgent & { handle: string })[]): Promise<void> => {
  const file = teamFileOf(dir)
  const { text, team } = readTeamText(file)
  const added = agents.filter(({ handle }) => !Object.hasOwn(team.agents, handle))
  if (added.length === 0) return
  const tables = stringify({ agents: Object.fromEntries(added.map(({ handle, ...agent }) => [handle, agent])) })
  try {
    mkdirSync(dirname(file), { recursive: true })
    await writeFileAtomic(file, `${text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}${tables.trimEnd()}\n`, {
      mode: 0o644,
    })
  } catch (cause) {
    throw new ReinError('failed', `${file} could not be written: ${String(cause)}`, 'The team runs.')
  }
}
