import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../test/process/harness.ts'

/** Puts figures between the marks of their topic in a page of the docs; what people wrote around them stays. */
export const writePage = (file: string, topic: string, text: string): void => {
  const page = join(repository, file)
  const [start, end] = [`<!-- figures: ${topic} -->`, `<!-- end: ${topic} -->`]
  const before = readFileSync(page, 'utf8')
  const [from, to] = [before.indexOf(start), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} has no place for ${topic}.`)
  writeFileSync(page, `${before.slice(0, from)}${start}\n${text}\n${before.slice(to)}`)
}
