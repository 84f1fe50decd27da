import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from './all.ts'
import { HereInput } from './fields.ts'
import type { Card } from './route.ts'

const takes = ({ input }: Card, field: string): boolean => input instanceof z.ZodObject && field in input.shape
const placed = Object.entries<Card>(routes).filter(([, card]) => takes(card, 'cwd'))

describe('a request belongs to a directory or to a project', () => {
  test('in every route that asks for a directory', () => {
    // A process has an environment of its own, and `target` may name its project.
    const others = placed.filter(([, card]) => !takes(card, 'project')).map(([name]) => name)
    expect(others.toSorted()).toEqual(['doctor', 'followTurns', 'turns'])
  })

  test('to exactly one of both, which is said', () => {
    const input = HereInput.extend({ name: z.string() })
    const of = (given: object): unknown => input.safeParse({ name: 'x', ...given }).error?.issues[0]?.message ?? null
    const error = 'give either cwd or project, and not both'
    expect([{}, { cwd: '/', project: 'shop' }, { cwd: '/' }, { project: 'shop' }].map(of)).toEqual([
      error,
      error,
      null,
      null,
    ])
    // A schema says nothing of both while something else is missing.
    const named = { target: 'x', name: 'x', room: 'x' }
    const said = (card: Card, here: object): (string | undefined)[] =>
      card.input?.safeParse({ ...named, ...here }).error?.issues.map(({ message }) => message) ?? []
    const others = placed.flatMap(([name, card]) => {
      if (!takes(card, 'project')) return []
      const missing = said(card, { cwd: '/' })
      const wanted = missing.length === 0 ? [error] : missing
      return isDeepStrictEqual(said(card, { cwd: '/', project: 'shop' }), wanted) ? [] : [name]
    })
    expect(others).toEqual([])
  })
})
