import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

export interface Step {
  name: string
  commands: string
  /** What the page shows of it; none: it prints whatever it likes. */
  shown: string | undefined
}

/** The steps of a page of docs/, all of them: a block that is no step would not be run. */
export const stepsOf = (page: string): Step[] => {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
  const [, part = ''] = /<!-- walk-through -->([\s\S]*)<!-- end of the walk-through -->/.exec(text) ?? []
  const step = /<!-- step: ([\w ]+) -->\n```sh\n([\s\S]*?)\n```(?:\n\n```text\n([\s\S]*?)\n```)?/g
  const found = [...part.matchAll(step)].map(([, name = '', commands = '', shown]) => ({ name, commands, shown }))
  expect(found.length).toBe(part.split('```sh\n').length - 1)
  return found
}

/** What is another one each time: ids, times, ages, sizes, and the columns that follow from them. */
export const shapeOf = (text: string): string[] =>
  text
    .replaceAll(/\b(dir|evt|msg|ses)_[0-9a-f][0-9a-f-]*…?/g, '$1_…')
    .replaceAll(/\b(entry|by|conversation|conversation is|HEAD) [0-9a-f-]+…?/g, '$1 …')
    .replaceAll(/shop-[0-9a-f]{6}/g, 'shop-…')
    // Another day is said, too.
    .replaceAll(/(\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d)?/g, 'TIME')
    .replaceAll(/\b\d+[smh]\b/g, 'AGE')
    // Whether a member is at work, waits or rests, is so at that moment.
    .replaceAll(/[●◐○]/g, '●')
    .replaceAll(/\d+ bytes|take up .*|\d{4}-\d\d-\d\d ─+/g, '…')
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, '  ').trimEnd())
