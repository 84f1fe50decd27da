import { expect, test } from 'vitest'
import { reasonToReview } from './review.ts'

test.each([
  '.claude/settings.json',
  'sub/.mcp.json',
  '.codex/config.toml',
  '.envrc',
  '.vscode/tasks.json',
  '.husky/pre-commit',
  '.github/workflows/ci.yml',
  'package.json',
  'AGENTS.md',
  '.gitattributes',
  'Makefile',
])('%s is shown before it is written', (path) => expect(reasonToReview(path, '100644')).not.toBeNull())

test('so are programs and links; plain files are not', () => {
  expect(reasonToReview('run.sh', '100755')).toBe('a program')
  expect(reasonToReview('link', '120000')).toBe('a link')
  expect(
    ['src/index.ts', 'readme.md', 'claude/x', 'my.envrc.txt'].map((path) => reasonToReview(path, '100644')),
  ).toEqual([null, null, null, null])
})
