import { listElements, type OneOrMore, parsePattern } from '../util/table.ts'
import { table as addresses } from './kinds/addresses.yaml'
import { table as ai } from './kinds/ai.yaml'
import { table as calls } from './kinds/calls.yaml'
import { table as cloud } from './kinds/cloud.yaml'
import { table as code } from './kinds/code.yaml'
import { table as headers } from './kinds/headers.yaml'
import { table as keys } from './kinds/keys.yaml'
import { table as names } from './kinds/names.yaml'
import { table as pieces } from './kinds/pieces.yaml'
import { table as sentences } from './kinds/sentences.yaml'
import { table as services } from './kinds/services.yaml'
import { table as setters } from './kinds/setters.yaml'
import { table as stores } from './kinds/stores.yaml'
import { table as streams } from './kinds/streams.yaml'
import { table as tools } from './kinds/tools.yaml'
import type { CommandKind, SecretKind } from './secret-kind.ts'

/** `|` separates texts of one field, except in patterns and samples. */
interface KindEntry {
  samples: OneOrMore<string>
}

/** A token that its first signs give away: one of `starts`. */
interface TokenEntry extends KindEntry {
  starts: string
  rest: string
}

/** A token that signs in its middle give away. */
interface TokenAroundEntry extends KindEntry {
  lead: string
  middle: string
  rest: string
}

/** `${anchors}` in its pattern is any of the anchors; a sample with `${anchor}` is one for each of them. */
interface PatternEntry extends KindEntry, Pick<SecretKind, 'look'> {
  anchors: OneOrMore<string>
  /** A long one is in several parts. */
  pattern: OneOrMore<string>
}

type CommandText = 'commands' | 'next' | 'joined' | 'others' | 'only'
interface CommandEntry extends KindEntry, Omit<CommandKind, 'kind' | 'samples' | CommandText> {
  commands: string
  next?: string
  joined?: string
  others?: string
  only?: string
}

const filled = new Map<string, string>()
const fillPieces = (text: string): string =>
  text.replaceAll(/\$\{(\w+)\}/g, (_place, name: string) => filled.get(name) ?? '')
for (const [name, piece] of Object.entries(pieces as Record<string, OneOrMore<string>>))
  filled.set(name, fillPieces(listElements(piece).join('|')))

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
const anyOf = (texts: readonly string[]): string => texts.map(escape).join('|')

const readForm = (kind: string, entry: TokenEntry | TokenAroundEntry | PatternEntry): SecretKind => {
  const samples = listElements(entry.samples)
  if ('starts' in entry) {
    const starts = entry.starts.split('|')
    const pattern = new RegExp(fillPieces(`\${begin}(?:${anyOf(starts)})${entry.rest}`), 'y')
    return { kind, anchors: starts.map((start) => start.toLowerCase()), pattern, samples }
  }
  if ('middle' in entry) {
    const { lead, middle, rest } = entry
    const pattern = new RegExp(`(?<=(?<![A-Za-z0-9])(?<lead>${lead}))${escape(middle)}${rest}`, 'y')
    return { kind, anchors: [middle.toLowerCase()], pattern, samples }
  }
  const anchors = listElements(entry.anchors).flatMap((each) => each.split('|'))
  const pattern = listElements(entry.pattern)
    .join('')
    .replace('${anchors}', () => anyOf(anchors))
  return {
    kind,
    anchors,
    pattern: parsePattern(`${fillPieces(pattern)}y`),
    ...(entry.look !== undefined && { look: entry.look }),
    samples: samples.flatMap((sample) =>
      sample.includes('${anchor}') ? anchors.map((anchor) => sample.replace('${anchor}', anchor)) : sample,
    ),
  }
}

const readForms = (...tables: unknown[]): SecretKind[] =>
  tables.flatMap((table) =>
    Object.entries(table as Record<string, PatternEntry>).map(([kind, entry]) => readForm(kind, entry)),
  )

const readCommands = (...tables: unknown[]): CommandKind[] =>
  tables.flatMap((table) =>
    Object.entries(table as Record<string, CommandEntry>).map(
      ([kind, { commands, next, joined, others, only, samples, ...where }]) => ({
        kind,
        ...where,
        commands: commands.split('|'),
        ...(next !== undefined && { next: next.split('|') }),
        ...(joined !== undefined && { joined: joined.split('|') }),
        ...(others !== undefined && { others: others.split('|') }),
        ...(only !== undefined && { only: parsePattern(only) }),
        samples: listElements(samples),
      }),
    ),
  )

/** What is known exactly. */
export const exactKinds = readForms(keys, ai, cloud, code, services)
export const commandKinds = readCommands(stores, setters, tools)
/** What is recognised by its surroundings. */
export const surroundedKinds = readForms(addresses, headers, names, streams, calls, sentences)
