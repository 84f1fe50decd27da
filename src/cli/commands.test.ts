import { expect, test } from 'vitest'
import { commandOutputs, commandStreams } from '../contract/command-outputs.ts'
import * as directive from '../contract/directive.ts'
import * as team from '../contract/team.ts'
import { app } from './commands.ts'
import { findPage } from './command.ts'
import { cliPage } from './docs.ts'
import { allCommandsPage, findTarget, helpPage, listCommands } from './help.ts'
import { commandGroups, scriptCommands } from './help-groups.ts'
import { eventPriorities, priorities } from './parameters.ts'

const commands = listCommands(app.root).map(([route, command]) => [route, helpPage(route.split(' '), command)] as const)
/** What runs when a command of several words is given only the first. */
const defaults: Record<string, string> = {
  'rein inbox list': 'rein inbox',
  'rein chat open': 'rein chat',
  'rein demo tell': 'rein demo',
  'rein web open': 'rein web',
}
const name = (route: string): string => defaults[route] ?? route

test('every command documents what it prints with --json', () => {
  const documented = Object.keys({ ...commandOutputs, ...commandStreams })
  expect(commands.map(([route]) => name(route)).filter((route) => !documented.includes(route))).toEqual([])
})

test.each(commands)('%s has a usage line, --json and two examples that run it', (route, help) => {
  expect(help).toMatch(/^Usage: rein [^\n]{1,80}$/m)
  expect(help).toContain('--json')
  const examples = help.split('\nExamples\n')[1]?.split('\n\n')[0]?.trimEnd().split('\n') ?? []
  expect(examples).toHaveLength(2)
  for (const example of examples) expect(example).toContain(name(route))
})

test.each(listCommands(app.root))('what comes after %s can be typed as it stands', (_, command) => {
  for (const line of findPage(command)?.next ?? []) {
    // A metavariable is no word that a person can type.
    expect(line).not.toMatch(/\b[A-Z]{2,}\b/)
    if (!/^rein [a-z]/.test(line) || line === 'rein help') continue
    const { target, unknown } = findTarget(app.root, line.split(' ').slice(1))
    expect([line, unknown, findPage(target)]).toEqual([line, undefined, expect.anything()])
  }
})

/** Every flag of every command: as [command, flag, letter]. */
const flags = listCommands(app.root).flatMap(([route, command]) => {
  const page = findPage(command)
  return Object.keys(page?.flags ?? {}).map((flag) => [route, flag, page?.letters[flag]] as const)
})

test('a letter means one flag, and a flag with a letter has it in every command', () => {
  const lettered = flags.flatMap(([, flag, letter]) => (letter === undefined ? [] : [[letter, flag] as const]))
  const flagOf = new Map(lettered)
  const letterOf = new Map(lettered.map(([letter, flag]) => [flag, letter]))
  const usual = flags.map(([route, flag]) => [route, flag, letterOf.get(flag)])
  expect(flags).toEqual(usual)
  expect(lettered.filter(([letter, flag]) => flagOf.get(letter) !== flag)).toEqual([])
  expect(letterOf.get('verbose')).toBe('v')
  expect(letterOf.get('yes')).toBe('y')
})

/** Flags that have another name, with the commands where the word means something else. */
const gone: Record<string, { now: string; but?: readonly string[] }> = {
  cli: { now: 'driver' },
  dedup: { now: 'key' },
  export: { now: 'output' },
  file: { now: 'output' },
  html: { now: 'output' },
  lines: { now: 'limit' },
  olderThan: { now: 'until' },
  out: { now: 'output' },
  preview: { now: 'dryRun' },
  print: { now: 'dryRun' },
  sender: { now: 'from', but: ['rein channel create'] },
  ttl: { now: 'for' },
  user: { now: 'global' },
  why: { now: 'verbose', but: ['rein lease take'] },
  within: { now: 'timeout' },
}

test('one meaning has one name: names that are gone do not come back', () => {
  const back = flags.filter(([route, flag]) => flag in gone && !gone[flag]?.but?.includes(route))
  expect(back.map(([route, flag]) => `${route} --${flag}: it is ${gone[flag]?.now}`)).toEqual([])
  const names = new Set(flags.map(([, flag]) => flag))
  expect(Object.values(gone).filter(({ now }) => !names.has(now))).toEqual([])
})

test.each([40, 80])('pages are wrapped to %i columns, but for usage and examples', (columns) => {
  for (const [route, command] of listCommands(app.root)) {
    const prose = helpPage(route.split(' '), command, columns)
      .split('\nExamples\n')[0]
      ?.split('\n')
      .filter((line) => !/^Usage: |^ {2}\S/.test(line) && line.trim().includes(' '))
    expect([route, prose?.filter((line) => line.length > Math.max(columns, 54))]).toEqual([route, []])
  }
})

test('rein --help fits a screen, and the commands that carry the day come first', () => {
  const shown = commandGroups.flatMap((group) => group.commands)
  expect(commandGroups[0]?.commands).toEqual(['up', 'ps', 'tell', 'attach', 'answer', 'logs', 'run', 'down'])
  expect(commandGroups.length).toBeLessThanOrEqual(7)
  expect(shown.length).toBeLessThanOrEqual(36)
  const page = helpPage(['rein'], app.root, 80)
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  for (const command of shown) expect(page).toMatch(new RegExp(`^  ${command} +\\S`, 'm'))
})

test('every command is in one group of rein help --all', () => {
  const listed = [...commandGroups, scriptCommands].flatMap((group) => group.commands)
  const there = [...new Set(commands.map(([route]) => route.split(' ')[1] ?? ''))]
  expect(listed.toSorted()).toEqual(there.toSorted())
  expect(allCommandsPage(app.root)).toContain(scriptCommands.title)
})

test('the words that the parser knows are those of the contract', () => {
  expect(priorities).toEqual(directive.priorities)
  expect(eventPriorities).toEqual(team.eventPriorities)
})

test('the page has them all', () => {
  expect(cliPage().match(/^## /gm)).toHaveLength(commands.length)
})
