import { generateHelpTextForAllCommands } from '@stricli/core'
import { expect, test } from 'vitest'
import { jsonOutputs, jsonStreams } from '../contract/api.ts'
import * as directive from '../contract/directive.ts'
import { leaseOutputs } from '../contract/lease-api.ts'
import { loopOutputs } from '../contract/loops-api.ts'
import { bundleOutputs } from '../contract/bundle-api.ts'
import { memoryOutputs } from '../contract/memory-api.ts'
import { noteOutputs } from '../contract/notes-api.ts'
import { replayOutputs } from '../contract/replay-api.ts'
import { trustOutputs } from '../contract/trust-api.ts'
import { ruleToolOutputs } from '../contract/rule-tools-api.ts'
import { sessionOutputs } from '../contract/session-api.ts'
import * as team from '../contract/team.ts'
import { storyOutputs } from '../contract/story-api.ts'
import { taskOutputs } from '../contract/task-api.ts'
import { teamOutputs } from '../contract/team-api.ts'
import { app } from './commands.ts'
import { cliPage } from './docs.ts'
import { eventPriorities, priorities } from './parameters.ts'

const commands = generateHelpTextForAllCommands(app as never)
/** What runs when a command of several words is given only the first. */
const defaults: Record<string, string> = {
  'rein inbox list': 'rein inbox',
  'rein chat open': 'rein chat',
  'rein demo tell': 'rein demo',
}
const name = (route: string): string => defaults[route] ?? route

test('every command documents what it prints with --json', () => {
  const documented = Object.keys({
    ...jsonOutputs,
    ...teamOutputs,
    ...taskOutputs,
    ...storyOutputs,
    ...leaseOutputs,
    ...sessionOutputs,
    ...loopOutputs,
    ...bundleOutputs,
    ...replayOutputs,
    ...trustOutputs,
    ...memoryOutputs,
    ...noteOutputs,
    ...ruleToolOutputs,
    ...jsonStreams,
  })
  expect(commands.map(([route]) => name(route)).filter((route) => !documented.includes(route))).toEqual([])
})

test.each(commands)('%s has --json and an example that runs it', (route, help) => {
  expect(help).toContain('--json')
  expect(help.split('EXAMPLE\n')[1]).toContain(name(route))
})

test('the words that the parser knows are those of the contract', () => {
  expect(priorities).toEqual(directive.priorities)
  expect(eventPriorities).toEqual(team.eventPriorities)
})

test('the page has them all', () => {
  expect(cliPage().match(/^## /gm)).toHaveLength(commands.length)
})
