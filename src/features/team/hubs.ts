import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as smolToml from 'smol-toml'
import type { z } from 'zod'
import { checkFile, decodeToml, findKey, parseWith, type TomlFile } from '../../base/config/toml-file.ts'
import { layoutOf, positionOf } from '../../base/config/toml-layout.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import { TeamAgent, TeamFile } from '../../contract/team.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import { shown } from '../../base/util/shown.ts'

/** `problem`: why it could not be read. */
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

/** The contents of the files `.rein/team.toml`; each is read again when it has changed. */
export class TeamFiles {
  readonly #onInvalid: (problem: ReinError) => void
  readonly #known = new BoundedMap<string, Known>(mostKnown)

  /** `onInvalid` is called once for each invalid version of a file, which counts as empty. */
  constructor(onInvalid: (problem: ReinError) => void) {
    this.#onInvalid = onInvalid
  }

  /** The team of this directory, or of the nearest above it in the same repository: empty where there is no file. */
  of(dir: string): ReadTeam {
    const file = teamFileOf(dir)
    let stamp = ''
    try {
      const stats = statSync(file, { throwIfNoEntry: false })
      if (stats !== undefined) stamp = `${stats.mtimeMs} ${stats.size}`
    } catch (cause) {
      // A link to itself, or an unreadable directory: reading it reports that, once.
      stamp = String(cause)
    }
    const known = this.#known.get(file)
    if (known?.stamp === stamp) return known.team
    let team: ReadTeam
    try {
      ;({ team } = readTeamText(file))
    } catch (cause) {
      const problem = asReinError(cause)
      this.#onInvalid(problem)
      team = { ...emptyTeam, problem }
    }
    this.#known.set(file, { stamp, team })
    return team
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

/** The path of a directory's team file, whether it exists or not. */
export const teamFileOf = (dir: string): string => join(homeOf(dir), teamFile)

const homeOf = (dir: string): string => {
  const above = dirname(dir)
  if (above === dir) return dir
  try {
    // A broken link counts: reading it says what is wrong.
    if (lstatSync(join(dir, teamFile), { throwIfNoEntry: false }) !== undefined) return dir
  } catch {
    // Not readable, so it is not the file of a team.
  }
  return existsSync(join(dir, '.git')) ? dir : homeOf(above)
}

/** The team and the text of its file; empty without one. */
export const readTeamText = (file: string): { text: string; team: TeamFile } => {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return { text: '', team: emptyTeam }
  checkFile(file, stats)
  const text = decodeToml(file, readFileSync(file))
  const toml: TomlFile = { file, text, data: parseWith(smolToml, file, text), layout: layoutOf(text) }
  const read = TeamFile.safeParse(toml.data)
  if (read.success) return { text, team: read.data }
  throw new ReinError('invalid_config', read.error.issues.map((issue) => describeIssue(toml, issue)).join('\n'))
}

const describeIssue = (toml: TomlFile, issue: z.core.$ZodIssue): string => {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys
    const full = [...path, name]
    const fields = path[0] === 'agents' ? Object.keys(TeamAgent.shape) : ['rooms', 'events']
    const meant = didYouMean(name, path.length === 0 ? Object.keys(TeamFile.shape) : fields)
    return `${placeOf(toml, full)}${nameOf(full)} is not known${meant}`
  }
  let fault = 'is no name: it has a–z, 0–9, _ and -'
  if (issue.code === 'invalid_type') fault = `must be of type ${issue.expected}`
  if (issue.code === 'invalid_value') fault = `must be one of: ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big') fault = `has more than ${issue.maximum} characters`
  if (issue.code === 'too_small') fault = 'is empty'
  return `${placeOf(toml, path)}${nameOf(path)} ${fault}.`
}

/** A name from a file that may be hostile. */
const nameOf = (path: readonly string[]): string =>
  path.map((name) => (/^[\w-]{1,60}$/.test(name) ? name : shown(name))).join('.')

/** The place of a value, or of the first key below it. */
const placeOf = (toml: TomlFile, path: readonly string[]): string => {
  const below = [...toml.layout.entries, ...toml.layout.tables].find((each) =>
    path.every((name, index) => each.path[index] === name),
  )
  const offset = below === undefined ? undefined : 'keyStart' in below ? below.keyStart : below.headerEnd
  const at = findKey(toml, path) ?? (offset === undefined ? undefined : positionOf(toml.text, offset))
  return at === undefined ? `${toml.file}: ` : `${toml.file}:${at.line}:${at.column}: `
}
