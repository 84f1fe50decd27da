import * as fc from 'fast-check'
import { parse, visit } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { jsonSettings, tomlSettings } from '../../../test/support/settings-files.ts'
import type { Deployment } from '../../drivers/contract.ts'
import { isObject } from '../../base/util/json.ts'
import { type Known, type Plan, plan } from './plan.ts'
import { Refusal } from './refusal.ts'

const path = '/home/dev/settings'
const marker = ' # rein-managed'

const hookFor = (event: string): Deployment => ({
  kind: 'json-items',
  path,
  at: ['hooks', event],
  items: [{ hooks: [{ type: 'command', command: `exec rein-hook claude ${event}${marker}`, timeout: 5 }] }],
  marker,
})
const server: Deployment = {
  kind: 'json-key',
  path,
  at: ['mcpServers', 'rein'],
  value: { command: 'rein', args: ['mcp'] },
}
const jsonParts = [hookFor('Stop'), hookFor('SessionStart'), server]
const tomlParts: Deployment[] = [
  {
    kind: 'toml-table',
    path,
    table: ['mcp_servers', 'rein'],
    values: { command: 'rein', args: ['mcp'], env: { A: '1' } },
  },
]

const planned = (text: string, parts: readonly Deployment[]): Plan | null => {
  try {
    return plan(text, null, parts)
  } catch (cause) {
    if (cause instanceof Refusal) return null
    throw cause
  }
}

const known = ({ base, made }: Plan, parts: readonly Deployment[], isUntouched: boolean): Known => ({
  base,
  made,
  parts,
  isUntouched,
})

/** Taken away and put back: what was there before must come out, byte for byte, however often. */
const roundTrip = (text: string, done: Plan, parts: readonly Deployment[]): void => {
  expect(plan(done.after, known(done, parts, true), parts).after).toBe(done.after)
  // With the register lost everything is looked for by its marks: dear, so for some.
  if (text.length % 8 === 0) expect(plan(done.after, null, parts).after).toBe(done.after)
  expect(plan(done.after, known(done, parts, true), []).after).toBe(text)
}

const withoutBom = (text: string): string => text.replace(/^\uFEFF/, '')
const jsonOf = (text: string): unknown => parse(withoutBom(text), [], { allowTrailingComma: true })

/** What is Rein's taken out of the data, by other means than the code that is tested. */
const withoutOurs = (data: unknown, made: readonly string[][]): unknown => {
  const copy: unknown = JSON.parse(JSON.stringify(data))
  const at = (keys: readonly string[]): unknown =>
    keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), copy)
  const drop = (keys: readonly string[]): void => {
    const parent = at(keys.slice(0, -1))
    if (isObject(parent)) delete parent[keys.at(-1) ?? '']
  }
  for (const event of ['Stop', 'SessionStart']) {
    const list = at(['hooks', event])
    if (Array.isArray(list))
      list.splice(0, list.length, ...list.filter((item) => !JSON.stringify(item).includes(`${marker}"`)))
  }
  drop(['mcpServers', 'rein'])
  for (const keys of made.toSorted((a, b) => b.length - a.length)) drop(keys)
  return copy
}

const commentsOf = (text: string): string[] => {
  const found: string[] = []
  const onComment = (offset: number, length: number): unknown =>
    found.push(withoutBom(text).slice(offset, offset + length))
  visit(withoutBom(text), { onComment })
  return found
}

const checkJson = (text: string): boolean => {
  const done = planned(text, jsonParts)
  if (done?.after == null) return false
  const foreign = (after: string): string => JSON.stringify(withoutOurs(jsonOf(after), done.made))
  expect(foreign(done.after)).toBe(JSON.stringify(jsonOf(text)))
  expect(commentsOf(done.after)).toEqual(commentsOf(text))
  if (text.includes('\r\n')) expect(done.after).not.toMatch(/(?<!\r)\n/)
  roundTrip(text, done, jsonParts)
  const edited = plan(`${done.after} `, known(done, jsonParts, false), []).after ?? ''
  expect(JSON.stringify(jsonOf(edited))).toBe(JSON.stringify(jsonOf(text)))
  expect(commentsOf(edited)).toEqual(commentsOf(text))
  return true
}

const orderOf = (text: string): string =>
  JSON.stringify(parseToml(withoutBom(text), { integersAsBigInt: 'asNeeded' }), (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

const checkToml = (text: string): boolean => {
  const done = planned(text, tomlParts)
  if (done?.after == null) return false
  expect(done.after.startsWith(text)).toBe(true)
  roundTrip(text, done, tomlParts)
  const edited = plan(`${done.after}# more\n`, known(done, tomlParts, false), []).after ?? ''
  expect(orderOf(edited)).toBe(orderOf(text))
  expect(edited.startsWith(text.trimEnd())).toBe(true)
  return true
}

/** Runs all, and says how many were not refused. */
const count = (files: fc.Arbitrary<string>, check: (text: string) => boolean, numRuns: number): number => {
  let edited = 0
  const property = fc.property(files, (text) => {
    if (check(text)) edited += 1
  })
  fc.assert(property, { numRuns })
  return edited
}

/** Not all can be edited: the others have something else where Rein's would go, and are refused. */
test.each([1, 2])(
  '8,400 JSON files, half %i: no foreign key or comment is lost or moved, cleanup restores every byte',
  () => {
    expect(count(jsonSettings, checkJson, 4_200)).toBeGreaterThan(1_600)
  },
)

test('2,000 TOML files: no foreign key or comment is lost or moved, cleanup restores every byte', () => {
  expect(count(tomlSettings, checkToml, 2_000)).toBeGreaterThan(600)
})
