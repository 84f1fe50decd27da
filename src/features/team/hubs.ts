import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as smolToml from 'smol-toml'
import type { z } from 'zod'
import { checkFile, decodeToml, findKey, parseWith, type TomlFile } from '../../base/config/toml-file.ts'
import { layoutOf, positionOf } from '../../base/config/toml-layout.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import { TeamAgent, TeamFile } from '../../contract/team.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { nearest } from '../../base/util/nearest.ts'
import { shown } from '../../base/util/shown.ts'

/** `problem`: why nothing could be read of it. */
export interface ReadTeam extends TeamFile {
  problem?: ReinError
}

interface Known {
  stamp: string
  team: ReadTeam
}

export const emptyTeam: TeamFile = { agents: {}, hubs: {} }
const teamFile = '.rein/team.toml'
const mostKnown = 500

/** What the files `.rein/team.toml` say; each is read again when it is another one. */
export class TeamFiles {
  readonly #onInvalid: (problem: ReinError) => void
  readonly #known = new BoundedMap<string, Known>(mostKnown)

  /** `onInvalid` hears once of each version of a file that cannot be understood; it counts as empty. */
  constructor(onInvalid: (problem: ReinError) => void) {
    this.#onInvalid = onInvalid
  }

  /** The team of this directory, or of the nearest above it in the same repository: empty where there is no file. */
  of(dir: string): ReadTeam {
    const file = teamFileOf(dir)
    const stamp = stampOf(file)
    const known = this.#known.get(file)
    if (known?.stamp === stamp) return known.team
    const team = this.#read(file)
    this.#known.set(file, { stamp, team })
    return team
  }

  #read(file: string): ReadTeam {
    try {
      return readTeamFile(file)
    } catch (cause) {
      const problem = asReinError(cause)
      this.#onInvalid(problem)
      return { ...emptyTeam, problem }
    }
  }
}

/** Only a hub that the file knows can be watched; with a `*` also one to come. */
export const checkHub = ({ hubs, problem }: ReadTeam, subject: string): void => {
  const hub = /^hub:([^*]+)$/.exec(subject)?.[1]
  if (hub === undefined || Object.hasOwn(hubs, hub)) return
  if (problem !== undefined) throw problem
  const names = Object.keys(hubs)
  const hint =
    names.length === 0 ? 'Hubs are listed in .rein/team.toml; there is none.' : `There are: ${names.join(', ')}`
  throw new ReinError('usage', `There is no hub ${hub}${didYouMean(hub, names)}`, hint)
}

/** Where the file of a directory's team is, or would be. */
export const teamFileOf = (dir: string): string => join(homeOf(dir), teamFile)

const homeOf = (dir: string): string => {
  const above = dirname(dir)
  if (above === dir || isThere(join(dir, teamFile))) return dir
  return existsSync(join(dir, '.git')) ? dir : homeOf(above)
}

/** A link that leads nowhere is there, too: whoever reads it says what is wrong. */
const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** What is another when the file is. */
const stampOf = (file: string): string => {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`
  } catch (cause) {
    // A link to itself, a directory that may not be read: reading it says so, once.
    return String(cause)
  }
}

const readTeamFile = (file: string): TeamFile => readTeamText(file).team

/** Its text, too; none where there is no file. */
export const readTeamText = (file: string): { text: string; team: TeamFile } => {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return { text: '', team: emptyTeam }
  checkFile(file, stats)
  const text = decodeToml(file, readFileSync(file))
  const toml: TomlFile = { file, text, data: parseWith(smolToml, file, text), layout: layoutOf(text) }
  const read = TeamFile.safeParse(toml.data)
  if (read.success) return { text, team: read.data }
  throw new ReinError('invalid_config', read.error.issues.map((issue) => problemOf(toml, issue)).join('\n'))
}

const problemOf = (toml: TomlFile, issue: z.core.$ZodIssue): string => {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return `${placeOf(toml, path)}${nameOf(path)} ${faultOf(issue)}.`
  const [name = ''] = issue.keys
  const full = [...path, name]
  return `${placeOf(toml, full)}${nameOf(full)} is not known${didYouMean(name, fieldsAt(path))}`
}

const faultOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big') return `has more than ${issue.maximum} characters`
  if (issue.code === 'too_small') return 'is empty'
  return 'is no name: it has a–z, 0–9, _ and -'
}

/** A name from a file that may be hostile. */
const nameOf = (path: readonly string[]): string =>
  path.map((name) => (/^[\w-]{1,60}$/.test(name) ? name : shown(name))).join('.')

/** What there is at this depth of the file. */
const fieldsAt = (path: readonly string[]): string[] => {
  if (path.length === 0) return Object.keys(TeamFile.shape)
  return path[0] === 'agents' ? Object.keys(TeamAgent.shape) : ['rooms', 'events']
}

/** Of a value, else of the first thing that stands below it. */
const placeOf = (toml: TomlFile, path: readonly string[]): string => {
  const below = [...toml.layout.entries, ...toml.layout.tables].find((each) =>
    path.every((name, index) => each.path[index] === name),
  )
  const offset = below === undefined ? undefined : 'keyStart' in below ? below.keyStart : below.headerEnd
  const at = findKey(toml, path) ?? (offset === undefined ? undefined : positionOf(toml.text, offset))
  return at === undefined ? `${toml.file}: ` : `${toml.file}:${at.line}:${at.column}: `
}

const didYouMean = (word: string, words: readonly string[]): string => {
  const meant = nearest(word, words)
  return meant === undefined ? '.' : `; did you mean ${meant}?`
}
