import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import type { MeasuredCommand } from './meter.ts'
import { transcriptsIn } from './waste-in.ts'

async function* nothing(): AsyncGenerator<MeasuredCommand> {
  yield* []
}

test('files as they are named, directories however deep, and links only if they are named', async () => {
  const root = tempDir()
  const dir = join(root, 'projects')
  mkdirSync(join(dir, 'b'), { recursive: true })
  for (const name of ['z.jsonl', 'b/y.jsonl', 'b/notes.md', 'a.jsonl']) writeFileSync(join(dir, name), '')
  symlinkSync(dir, join(dir, 'loop'))
  symlinkSync(join(dir, 'a.jsonl'), join(dir, 'again.jsonl'))
  symlinkSync(dir, join(root, 'link'))
  const found: string[] = []
  const named = [join(root, 'link'), join(dir, 'b/notes.md'), join(root, 'missing')]
  for await (const { path } of transcriptsIn(named, nothing)) found.push(path.slice(root.length + 1))
  expect(found).toEqual(['link/a.jsonl', 'link/b/y.jsonl', 'link/z.jsonl', 'projects/b/notes.md', 'missing'])
})
