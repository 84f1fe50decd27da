import { type Agent, isAlive } from '../../contract/agent.ts'
import { findDriver } from '../../drivers/registry.ts'
import { foreignPlace } from '../trust/repository.ts'
import type { ReinPaths } from '../../base/util/paths.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'
import type { AgentWatcher } from '../agent-events.ts'
import type { Journal } from '../../contract/logs.ts'
import type { Settings } from '../../base/config/settings.ts'

interface Parts {
  paths: ReinPaths
  settings: Settings
}

const longestLine = 200

/** What a directory's files do against Rein's hooks in a CLI that is, or would be, started there. */
export const weakenedIn = ({ paths, settings }: Parts, driver: string, cwd: string, isLaunched: boolean): string[] =>
  findDriver(driver)
    .foreign.weakens(foreignPlace(cwd, process.env, paths), {
      isLaunched,
      isHttp: settings['hooks.transport'] === 'http',
    })
    .map(({ file, what, command }) =>
      escapeUnsafe(`${file}: ${what}: ${command}`)
        .replace(/[\t\n]+/g, ' ')
        .slice(0, longestLine),
    )

/** The same for an agent that runs: Rein's own settings outrank the project's only in those that it launched. */
export const weakenedBy = (parts: Parts, { driver, cwd, host, state }: Agent): string[] =>
  isAlive(state) ? weakenedIn(parts, driver, cwd, host !== 'outside') : []

/** Tells people of it when such an agent starts. */
export const weakenedWatcher = (
  parts: Parts & { journal: Journal },
  tellPeople: (project: string, text: string) => void,
): AgentWatcher => ({
  onChange: (agent, _, { type }) => {
    if (type !== 'agent.launched') return
    const { handle, project } = agent
    const found = weakenedBy(parts, { ...agent, state: 'starting' })
    if (found.length === 0) return
    const text = `Rules and guards may not apply to ${handle}: its project steers or switches off Rein's hooks. ${found.join('; ')}`
    parts.journal.write('trouble', { where: handle, reason: text })
    tellPeople(project, text)
  },
})
