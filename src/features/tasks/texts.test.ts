import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { addHandover, dirOf, handoverAt, missingTexts, readTaskText, textPath, writeTexts } from './texts.ts'

const place = () => ({ root: tempDir(), name: 'parser' })
const at = Date.UTC(2026, 0, 2)

describe('the texts of a task', () => {
  test('are made from what is given, else from templates', () => {
    const task = place()
    writeTexts(task, { spec: '# The parser\n\n' })
    expect(readFileSync(textPath(task, 'SPEC.md'), 'utf8')).toBe('# The parser\n')
    expect(readTaskText(task, 'PROMPT.md')).toContain('Done when')
    expect([readTaskText(task, 'HANDOVER.md'), handoverAt(task)]).toEqual([null, null])
    expect(readFileSync(join(task.root, '.rein/tasks/.gitignore'), 'utf8')).toBe('HANDOVER.md\n')
  })

  test('what is there stays, and another text for it is refused', () => {
    const task = place()
    writeTexts(task, { spec: 'Mine.' })
    writeTexts(task, { spec: 'Mine.\n' })
    expect(() => writeTexts(task, { spec: 'Yours.' })).toThrow(expect.objectContaining({ code: 'refused' }))
    expect(readTaskText(task, 'SPEC.md')).toBe('Mine.')
  })

  test.each(['.rein', '.rein/tasks', '.rein/tasks/parser', '.rein/tasks/parser/SPEC.md'])('%s is no link', (link) => {
    const task = place()
    const elsewhere = tempDir()
    mkdirSync(join(task.root, link, '..'), { recursive: true })
    symlinkSync(join(elsewhere, 'secret'), join(task.root, link))
    expect(() => writeTexts(task, {})).toThrow('is a link')
    expect(missingTexts(task)).toEqual([expect.stringContaining('is a link')])
    expect(readTaskText(task, 'SPEC.md')).toBeNull()
  })

  test('what was deleted is named', () => {
    const task = place()
    writeTexts(task, {})
    expect(missingTexts(task)).toEqual([])
    rmSync(textPath(task, 'SPEC.md'))
    expect(missingTexts(task)).toEqual([expect.stringContaining('SPEC.md is gone')])
    rmSync(dirOf(task), { recursive: true })
    expect(missingTexts(task)).toEqual([expect.stringContaining(`${dirOf(task)} is gone`)])
  })

  test('of a long one the beginning is given, with where the rest is', () => {
    const task = place()
    writeTexts(task, { spec: 'x'.repeat(20_000) })
    expect(readTaskText(task, 'SPEC.md')).toMatch(/^x{12000}\n… The rest is in .*SPEC\.md\.$/)
  })
})

describe('handovers', () => {
  test('stand one after the other, each with its time and its agent', async () => {
    const task = place()
    await addHandover(task, 'parser-1', 'First.\n', at)
    await addHandover(task, 'parser-2', 'Second.', at + 1000)
    expect(readTaskText(task, 'HANDOVER.md')).toBe(
      '## 2026-01-02T00:00:00.000Z parser-1\n\nFirst.\n\n## 2026-01-02T00:00:01.000Z parser-2\n\nSecond.',
    )
    expect(handoverAt(task)).toEqual(expect.any(Number))
  })

  test('the oldest go when there are too many, whole', async () => {
    const task = place()
    for (let n = 1; n <= 5; n += 1) await addHandover(task, `parser-${n}`, 'y'.repeat(20_000), at + n)
    const text = readFileSync(textPath(task, 'HANDOVER.md'), 'utf8')
    expect(text.length).toBeLessThanOrEqual(60_000)
    expect([...text.matchAll(/^## .* (parser-\d)$/gm)].map(([, handle]) => handle)).toEqual(['parser-4', 'parser-5'])
  })

  test('none is written through a link', async () => {
    const task = place()
    writeTexts(task, {})
    rmSync(textPath(task, 'HANDOVER.md'))
    const elsewhere = join(tempDir(), 'file')
    writeFileSync(elsewhere, 'Untouched.')
    symlinkSync(elsewhere, textPath(task, 'HANDOVER.md'))
    await expect(addHandover(task, 'parser-1', 'Text.', at)).rejects.toThrow('is a link')
    expect(readFileSync(elsewhere, 'utf8')).toBe('Untouched.')
  })
})
