import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breakages, points } from './fault.ts'

const page = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8')
const section = page.split(/^### /m).find((part) => part.startsWith('Fault points')) ?? ''

test('CONTRIBUTING.md has a row for each fault point, and names each promise that can be broken', () => {
  const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, point]) => point)
  expect(new Set(rows)).toEqual(new Set<unknown>(points))
  const named = [...section.matchAll(/`(\w+)`/g)].map(([, word]) => word)
  expect(breakages.filter((name) => !named.includes(name))).toEqual([])
})
