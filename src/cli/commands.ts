import { buildApplication, buildRouteMap, help, text_en, version as versionFlag } from '@stricli/core'
import { version } from '../util/version.ts'
import { agents } from './commands/agents.ts'
import { channels } from './commands/channels.ts'
import { deployment } from './commands/deployment.ts'
import { directives } from './commands/directives.ts'
import { leases } from './commands/leases.ts'
import { loops } from './commands/loops.ts'
import { memory } from './commands/memory.ts'
import { notes } from './commands/notes.ts'
import { rulesCommands } from './commands/rules.ts'
import { run } from './commands/run.ts'
import { service } from './commands/service.ts'
import { sessions } from './commands/sessions.ts'
import { shell } from './commands/shell.ts'
import { storyCommands } from './commands/story.ts'
import { system } from './commands/system.ts'
import { tasks } from './commands/tasks.ts'
import { team } from './commands/team.ts'
import { trust } from './commands/trust.ts'
import type { CliContext } from './context.ts'

const root = buildRouteMap<string, CliContext>({
  docs: {
    brief: 'Keeps CLI coding agents running, reachable and steerable: tell one something, and know that it arrived.',
  },
  routes: {
    ...agents,
    ...run,
    ...directives,
    ...sessions,
    ...leases,
    ...loops,
    ...rulesCommands,
    ...trust,
    ...memory,
    ...notes,
    ...shell,
    ...team,
    ...tasks,
    ...storyCommands,
    ...channels,
    ...deployment,
    ...service,
    ...system,
  },
})

const formatting = {
  caseStyle: 'convert-camel-to-kebab',
  onlyRequiredInUsageLine: true,
  useAliasInUsageLine: false,
} as const

export const app = buildApplication(
  root,
  {
    name: 'rein',
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: formatting,
    localization: {
      text: {
        ...text_en,
        briefs: { ...text_en.briefs, argumentEscapeSequence: 'What follows is no flag, even if it begins with a dash' },
      },
    },
  },
  {
    help: help({ brief: 'Print this help', defaultForRouteMap: true, formatting }),
    version: versionFlag({ brief: 'Print the version', info: { currentVersion: version }, alias: 'V' }),
  },
)
