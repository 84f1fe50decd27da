import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { secretKinds } from './find.ts'
import { commandKinds, exactKinds, surroundedKinds } from './kinds.ts'

const folder = path.join(import.meta.dirname, 'kinds')
const readTable = (name: string): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(parse(readFileSync(path.join(folder, name), 'utf8')))
const tables = readdirSync(folder).filter((name) => name !== 'pieces.yaml')

const texts = z.union([z.string(), z.array(z.string())])
const look = z.enum(['any', 'opaque', 'random']).optional()
const entry = z.union([
  z.strictObject({ starts: z.string(), rest: z.string(), samples: texts }),
  z.strictObject({ lead: z.string(), middle: z.string(), rest: z.string(), samples: texts }),
  z.strictObject({ anchors: texts, pattern: texts, look, samples: texts }),
  z.strictObject({
    commands: z.string(),
    next: z.string().optional(),
    joined: z.string().optional(),
    others: z.string().optional(),
    position: z.number().optional(),
    lastIf: z.string().optional(),
    after: z.enum([':', '%', ',', '/', '=']).optional(),
    only: z.string().optional(),
    until: z.literal('@').optional(),
    look,
    samples: texts,
  }),
])

describe('the tables of kinds', () => {
  test.each(tables)('%s has no field that nothing reads, and none of another type', (name) => {
    expect(z.record(z.string(), entry).safeParse(readTable(name)).error).toBeUndefined()
  })

  test('all are used', () => {
    const written = tables.flatMap((name) => Object.keys(readTable(name)))
    expect(secretKinds.map(({ kind }) => kind).toSorted()).toEqual(written.toSorted())
  })

  test('every piece is used, and no place is left open', () => {
    const pieces = Object.keys(readTable('pieces.yaml'))
    const all = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
    const named = new Set(all.flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)))
    expect(named).toEqual(new Set(['anchor', 'anchors', ...pieces.filter((name) => name !== 'begin')]))
    const patterns = [...exactKinds, ...surroundedKinds].map(({ pattern }) => pattern.source)
    expect(patterns.filter((source) => /\$\{\w/.test(source))).toEqual([])
  })

  test('patterns try one place only', () => {
    expect([...exactKinds, ...surroundedKinds].filter(({ pattern }) => !pattern.sticky)).toEqual([])
    expect(commandKinds.filter(({ only }) => only?.sticky || only?.global)).toEqual([])
  })
})
