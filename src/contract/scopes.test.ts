import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scopes, scopeWords } from './scopes.ts'

test('the documentation says of each scope what the page says', () => {
  const page = readFileSync(new URL('../../docs/web.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| `\w+` \| /.test(line))
  expect(rows).toEqual(scopes.map((scope) => `| \`${scope}\` | ${scopeWords[scope]} |`))
})
