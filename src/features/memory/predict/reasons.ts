import { PERSON } from './event.ts'
import { hashText } from './hash.ts'
import type { Witness } from './panel.ts'
import type { Situation } from './situation.ts'

/** The first reason for a line that never ran in the project that it is suggested for. */
export const ELSEWHERE = 'run in another project'
const FILLED = 'a known shape with words of this session'

/** How often a line ran. */
export interface Runs {
  readonly here: number
  readonly everywhere: number
  readonly failures: number
}

interface Told {
  readonly words: string
  /** Experts also go by there being nothing: no change, no tool, no command before. That is no reason to tell. */
  readonly isGiven: (situation: Situation) => boolean
}

const NOWHERE = hashText('')
const LATE = 4
const after =
  (steps: number) =>
  ({ trail }: Situation): boolean =>
    trail.steps.length >= steps

/** What experts go by, in words; of the others nobody would learn anything. */
const TOLD: Readonly<Record<string, Told>> = {
  cwd: { words: 'run in this directory', isGiven: ({ cwd }) => cwd !== NOWHERE },
  after: { words: 'after the last command', isGiven: after(1) },
  'after-two': { words: 'after the last two commands', isGiven: after(2) },
  'after-three': { words: 'after the last three commands', isGiven: after(3) },
  'after-shape': { words: 'after commands like the last one', isGiven: after(1) },
  'after-shapes': { words: 'after commands like the last two', isGiven: after(2) },
  'after-outcome': { words: 'after the last command had failed', isGiven: ({ failed }) => failed === 1 },
  'after-stub': { words: 'after this program', isGiven: after(1) },
  'after-tool': { words: 'after these tools', isGiven: ({ toolTrail }) => toolTrail !== 0 },
  place: { words: 'at this point of a session', isGiven: ({ trail }) => trail.now.position < LATE },
  broken: { words: 'after this failure', isGiven: ({ failed }) => failed === 1 },
  edited: { words: 'after a change of this file', isGiven: ({ edited }) => edited.length > 0 },
}

/** Why a line is suggested: what it was seen after, most telling first, and how often it ran. */
export function reasonsFor(
  runs: Runs | undefined,
  witnesses: readonly Witness[],
  situation: Situation,
  mostWitnesses: number,
): string[] {
  if (runs === undefined) return [FILLED]
  const isHere = runs.here > 0
  const able = witnesses.filter(
    (witness) =>
      isOwn(witness) === isHere && !saysAllRuns(witness, runs) && toldBy(witness)?.isGiven(situation) === true,
  )
  const telling = differing(able.toSorted((a, b) => weight(b) - weight(a))).slice(0, mostWitnesses)
  const seen = telling.map((witness) => inWords(witness, situation))
  return isHere ? [...seen, runsOf(runs)] : [ELSEWHERE, ...seen]
}

const toldBy = ({ expert }: Witness): Told | undefined => TOLD[expert.name.split('/')[0] ?? '']
const isOwn = ({ expert }: Witness): boolean => expert.scope === 'project' || expert.scope === 'session'
/** A line that only ever ran in this directory: that is no news beside how often it ran. */
const saysAllRuns = ({ expert, count }: Witness, { here }: Runs): boolean =>
  expert.name === 'cwd/project' && count === here
/** The total of a row gets less when others need its place. */
const totalOf = ({ count, total }: Witness): number => Math.max(count, Math.round(total))
const weight = (witness: Witness): number => (witness.count / (totalOf(witness) + 2)) * Math.log1p(witness.count)

/** Of those with the same count only the first: mostly they have seen the same runs. */
function differing(witnesses: readonly Witness[]): Witness[] {
  const first = new Map<number, Witness>()
  for (const witness of witnesses) if (!first.has(witness.count)) first.set(witness.count, witness)
  return [...first.values()]
}

const inWords = (witness: Witness, { kind }: Situation): string =>
  `${witness.count} of ${totalOf(witness)} ${toldBy(witness)?.words} ${whereOf(witness, kind)}`

function whereOf({ expert }: Witness, kind: number): string {
  if (expert.scope === 'project') return 'here'
  if (expert.scope === 'session') return 'in this session'
  if (expert.scope === 'all') return 'anywhere'
  return kind === hashText(PERSON) ? 'by people' : 'by agents of this kind'
}

const times = (count: number): string => ['never', 'once', 'twice'][count] ?? `${count} times`

/** Failures are known for all projects together. */
const runsOf = ({ here, everywhere, failures }: Runs): string =>
  `run ${times(here)} here${here === everywhere && failures > 0 ? `, failed ${times(failures)}` : ''}`
