import { buildApplication, buildRouteMap, help, type StricliIntegration, version as versionFlag } from '@stricli/core'
import { version } from '../base/util/version.ts'
import { agents } from './agents/commands.ts'
import { channels } from './channels/commands.ts'
import { deployment } from './deployment/commands.ts'
import { directives } from './directives/commands.ts'
import { installation } from './installation/commands.ts'
import { leases } from './leases/commands.ts'
import { memory } from './memory/commands.ts'
import { notify } from './notify/commands.ts'
import { rulesCommands } from './rules/commands.ts'
import { run } from './run/commands.ts'
import { service } from './service/commands.ts'
import { sessions } from './sessions/commands.ts'
import { storyCommands } from './story/commands.ts'
import { system } from './system/commands.ts'
import { tasks } from './tasks/commands.ts'
import { team } from './team/commands.ts'
import { trust } from './trust/commands.ts'
import { web } from './web/commands.ts'
import type { CliContext } from './context.ts'
import { parserText } from './parser-text.ts'
import { aliases } from './words.ts'

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
    ...rulesCommands,
    ...trust,
    ...memory,
    ...team,
    ...tasks,
    ...storyCommands,
    ...channels,
    ...notify,
    ...web,
    ...deployment,
    ...service,
    ...installation,
    ...system,
  },
  aliases,
})

const formatting = {
  caseStyle: 'convert-camel-to-kebab',
  onlyRequiredInUsageLine: true,
  useAliasInUsageLine: false,
} as const

/** Prints a page of our own: the one of Stricli shows neither values of flags nor groups. */
const helpFlag = (brief: string, isAll: boolean): StricliIntegration<CliContext> => ({
  flag: {
    ...help<CliContext>({ brief, formatting }).flag,
    brief,
    aliases: isAll ? [] : ['h'],
    global: !isAll,
    defaultForRouteMap: !isAll,
    async run({ root: top }, { result }) {
      const { allCommandsPage, helpPage } = await import('./help.ts')
      const stdout: { write(text: string): void; columns?: number } = this.process.stdout
      stdout.write(
        isAll ? allCommandsPage(top, stdout.columns) : helpPage(result.prefix, result.target, stdout.columns),
      )
    },
  },
})

export const app = buildApplication(
  root,
  {
    name: 'rein',
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: formatting,
    localization: { text: parserText },
  },
  {
    help: helpFlag('Print this help', false),
    helpAll: helpFlag('Print all commands', true),
    version: versionFlag({ brief: 'Print the version', info: { currentVersion: version }, alias: 'V' }),
  },
)
