import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { app } from '../src/cli/commands.ts'
import { helpPage, listCommands } from '../src/cli/help.ts'

const SKILLS = path.join(import.meta.dirname, '../skills')
/** All descriptions stand in every context of an agent. */
const MAX_DESCRIPTION = 200
const MAX_LINES = 40

const help = new Map(listCommands(app.root).map(([route, command]) => [route, helpPage(route.split(' '), command)]))

/** What it says to run, up to the first thing that is no word of a command. */
const commandsIn = (text: string): string[] => [...text.matchAll(/`(rein [^`]+)`/g)].map(([, command = '']) => command)

/** The longest beginning that is a command, as the help names it. */
const routeOf = (command: string): string | undefined => {
  const words = command.split(' ')
  const beginnings = words.map((_, count) => words.slice(0, words.length - count).join(' '))
  const routes = [...help.keys()]
  return beginnings.flatMap((one) => routes.filter((route) => route === one || route === `${one} list`)).at(0)
}

describe.each(readdirSync(SKILLS))('%s', (name) => {
  const text = readFileSync(path.join(SKILLS, name, 'SKILL.md'), 'utf8')
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []

  test('has a head that every CLI understands', () => {
    const description = /^description: (.+)$/m.exec(head)?.[1] ?? ''
    expect(head).toMatch(
      new RegExp(String.raw`^name: ${name}\ndescription: .+\nmetadata:\n {2}version: "\d+\.\d+\.\d+"$`),
    )
    expect(description.length).toBeLessThanOrEqual(MAX_DESCRIPTION)
    // A colon with a space after it would need quotes.
    expect(description).not.toMatch(/: |#|^["'[{]/)
  })

  test('is short', () => {
    expect(body.split('\n').length).toBeLessThan(MAX_LINES)
  })

  test('uses only commands and flags that exist', () => {
    const used = commandsIn(body)
    expect(used).not.toEqual([])
    for (const command of used) {
      const route = routeOf(command)
      expect({ command, route }).toEqual({ command, route: expect.any(String) as string })
      for (const [, flag = ''] of command.split('|')[0]?.matchAll(/ (--?[a-z-]+)/g) ?? [])
        expect(help.get(route ?? '')).toMatch(new RegExp(`(^|[\\s[])${flag}\\b`, 'm'))
    }
  })
})
