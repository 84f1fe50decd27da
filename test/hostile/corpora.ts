import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface HostileEntry {
  line: string
  class: string
}

/** A corpus of this directory: one JSON object a line. */
export const hostileEntries = (name: string): HostileEntry[] =>
  readFileSync(path.join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as HostileEntry)

export const hostileLines = (name: string): string[] => hostileEntries(name).map(({ line }) => line)
