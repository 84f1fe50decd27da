import { buildApplication, buildRouteMap, help, text_en, version as versionFlag } from '@stricli/core'
import { version } from '../base/util/version.ts'
import { agents } from './agents/commands.ts'
import { channels } from './channels/commands.ts'
import { deployment } from './deployment/commands.ts'
import { directives } from './directives/commands.ts'
import { leases } from './leases/commands.ts'
import { loops } from './loops/commands.ts'
import { memory } from './memory/commands.ts'
import { notes } from './notes/commands.ts'
import { notify } from './notify/commands.ts'
import { rulesCommands } from './rules/commands.ts'
import { run } from './run/commands.ts'
import { service } from './service/commands.ts'
import { sessions } from './sessions/commands.ts'
import { shell } from './shell/commands.ts'
import { storyCommands } from './story/commands.ts'
import { system } from './system/commands.ts'
import { tasks } from './tasks/commands.ts'
import { team } from './team/commands.ts'
import { trust } from './trust/commands.ts'
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
    ...notify,
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
