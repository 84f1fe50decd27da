import { describe, expect, test } from 'vitest'
import { aCall } from '../../../../test/support/builders.ts'
import { tiny } from '../../../../test/conformance/sixth-driver.ts'
import { emptyReply } from '../../../contract/hooks.ts'
import { drivers } from '../../../drivers/registry.ts'
import { kindOf, type ToolKind } from '../../../drivers/tool-kinds.ts'
import { prefilterFile } from './prefilter.ts'
import { driverRows } from './tools.ts'

/** What a guard without a daemon takes each kind for; the empty text is any kind. */
const taken: Readonly<Record<ToolKind, string>> = {
  shell: 'shell',
  poll: 'shell',
  change: 'change',
  read: 'read',
  fetch: 'fetch',
  wait: 'none',
  agent: 'none',
  delegate: 'none',
  none: 'none',
  any: '',
}

describe.each([...drivers, tiny])('$name', (driver) => {
  const rows = driverRows(driver)
  /** As `bin/rein-guard` looks it up. */
  const kinds = (name: string): string[] =>
    rows.flatMap(([what, , kind = '', pattern = '']) =>
      what === 'tools' && new RegExp(pattern).test(name.toLowerCase()) ? [kind] : [],
    )

  test('each tool is what the driver says, and of one kind', () => {
    const names = Object.keys({ ...driver.tools.told, ...driver.tools.own })
    expect(names.map((name) => [name, kinds(name).join()])).toEqual(
      names.map((name) => [name, taken[kindOf(driver, name)]]),
    )
  })

  test('a tool that nobody knows is of any kind', () => {
    for (const name of ['NewTool', 'bash2', 'new_read']) expect(kinds(name)).toEqual([])
  })

  test('a tool of a server is one where its name says so, and else of any kind', () => {
    const { prefix = '', between = '_' } = driver.tools.mcp ?? {}
    expect(kinds(`${prefix}server${between}read`)).toEqual(prefix === '' ? [] : ['mcp'])
  })

  test('a denial is in the words that its hooks use', () => {
    const [, name, form = ''] = rows.find(([what]) => what === 'denial') ?? []
    const said = form.replace('@event@', 'BeforeIt').replace('@reason@', 'Not now.')
    const call = aCall({ driver: driver.name, event: 'before_tool', native: 'BeforeIt' })
    const reply = { ...emptyReply, decision: { kind: 'deny' as const, reason: 'Not now.' } }
    expect([name, JSON.parse(said)]).toEqual([driver.name, driver.hooks.encode(call, reply, driver.minVersion)])
  })
})

test('a driver that cannot put a denial into words has none in the file', () => {
  const mute = { ...tiny, hooks: { ...tiny.hooks, encode: () => null } }
  expect(driverRows(mute)).toEqual([['tools', 'tiny', 'shell', '^(bash)$']])
})

test('the guard file has the rows of each driver', () => {
  const lines = prefilterFile([]).split('\n')
  const rows = drivers.flatMap(driverRows).map((fields) => fields.join('\t'))
  expect(lines.filter((line) => /^(?:tools|denial)\t/.test(line))).toEqual(rows)
})
