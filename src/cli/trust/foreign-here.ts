import { dirname } from 'node:path'
import type { ReinPaths } from '../../base/util/paths.ts'
import type { Foreigners } from '../../agents/trust/repository.ts'

/** What a directory makes a CLI or a team run, and what has trusted it. */
interface Found extends Foreigners {
  /** The driver's name, or `team`. */
  by: string
  trustedBy: 'cli' | 'rein' | null
}

export const lookAt = async (cwd: string, env: NodeJS.ProcessEnv, paths: ReinPaths): Promise<Found[]> => {
  const { areTrusted, findForeigners, findTeam, foreignPlace } = await import('../../agents/trust/repository.ts')
  const place = foreignPlace(cwd, env, paths)
  const { drivers } = await import('../../drivers/registry.ts')
  const { readTeamText, teamFileOf } = await import('../../features/team/hubs.ts')
  const file = teamFileOf(cwd)
  const team = findTeam(file, readTeamText(file).team.agents, dirname(dirname(file)))
  const all = [
    ...drivers.map((driver) => ({
      by: driver.name,
      found: findForeigners(driver, place),
      isTrusted: driver.foreign.isTrusted(place),
    })),
    { by: 'team', found: team, isTrusted: false },
  ]
  const looked: Found[] = []
  for (const { by, found, isTrusted } of all)
    if (found !== null) {
      const isByRein = await areTrusted(paths.state, found)
      looked.push({ ...found, by, trustedBy: isTrusted ? 'cli' : isByRein ? 'rein' : null })
    }
  return looked
}
