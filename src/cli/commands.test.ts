import { generateHelpTextForAllCommands } from '@stricli/core'
import { expect, test } from 'vitest'
import { commandOutputs, commandStreams } from '../contract/command-outputs.ts'
import * as directive from '../contract/directive.ts'
import * as team from '../contract/team.ts'
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
  const documented = Object.keys({ ...commandOutputs, ...commandStreams })
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
