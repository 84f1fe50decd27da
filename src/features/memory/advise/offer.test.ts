import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { whySilent } from './offers.ts'

test('each word for saying nothing stands in the documentation, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/memory-advice.md'), 'utf8')
  const [table = ''] = page.split('| why | means |\n')[1]?.split('\n\n') ?? []
  const words = table.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
  expect(new Set(words.map(([, word]) => word))).toEqual(new Set(whySilent))
})
