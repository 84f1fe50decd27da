import { person } from '../../../contract/outcome.ts'
import { hashText } from './hash.ts'
import type { Witness } from './panel.ts'
import type { Situation } from './situation.ts'

/** The first reason for a line that never ran in the project it is suggested for. */
export const runElsewhere = 'run in another project'

/** How often a line ran. */
interface Runs {
  readonly here: number
  readonly everywhere: number
  readonly failures: number
}

interface Wording {
  readonly words: string
  /** Experts also use the absence of something: no change, no tool, no previous command. That is not told. */
  readonly isGiven: (situation: Situation) => boolean
}

const emptyHash = hashText('')
const latePosition = 4
const hasSteps =
  (count: number) =>
  ({ trail }: Situation): boolean =>
    trail.steps.length >= count

/** The contexts of experts in words; the other experts would tell a reader nothing. */
const wordings: Readonly<Record<string, Wording>> = {
  cwd: { words: 'run in this directory', isGiven: ({ cwd }) => cwd !== emptyHash },
  after: { words: 'after the last command', isGiven: hasSteps(1) },
  'after-two': { words: 'after the last two commands', isGiven: hasSteps(2) },
  'after-three': { words: 'after the last three commands', isGiven: hasSteps(3) },
  'after-shape': { words: 'after commands like the last one', isGiven: hasSteps(1) },
  'after-shapes': { words: 'after commands like the last two', isGiven: hasSteps(2) },
  'after-outcome': { words: 'after the last command had failed', isGiven: ({ failed }) => failed === 1 },
  'after-stub': { words: 'after this program', isGiven: hasSteps(1) },
  'after-tool': { words: 'after these tools', isGiven: ({ toolTrail }) => toolTrail !== 0 },
  place: { words: 'at this point of a session', isGiven: ({ trail }) => trail.now.position < latePosition },
  broken: { words: 'after this failure', isGiven: ({ failed }) => failed === 1 },
  edited: { words: 'after a change of this file', isGiven: ({ edited }) => edited.length > 0 },
}

const nameTimes = (count: number): string => ['never', 'once', 'twice'][count] ?? `${count} times`

/** Why a line is suggested: the contexts it was seen in, most telling first, and how often it ran. */
export const listReasons = (
  runs: Runs | undefined,
  witnesses: readonly Witness[],
  situation: Situation,
  mostWitnesses: number,
): string[] => {
  if (runs === undefined) return ['a known shape with words of this session']
  const { here, everywhere, failures } = runs
  const ranked = witnesses
    .flatMap(({ expert: { name, scope }, count, total }) => {
      const wording = wordings[name.split('/')[0] ?? '']
      const isOwn = scope === 'project' || scope === 'session'
      // The directory is no news if the line only ever ran in it.
      if (isOwn !== here > 0 || (name === 'cwd/project' && count === here)) return []
      if (wording?.isGiven(situation) !== true) return []
      // The total of a row shrinks when others need its place.
      const of = Math.max(count, Math.round(total))
      const others = situation.kind === hashText(person) ? 'by people' : 'by agents of this kind'
      const where = { project: 'here', session: 'in this session', all: 'anywhere', kind: others }[scope]
      const weight = (count / (of + 2)) * Math.log1p(count)
      return [{ count, weight, text: `${count} of ${of} ${wording.words} ${where}` }]
    })
    .toSorted((a, b) => b.weight - a.weight)
  // Witnesses with the same count have mostly seen the same runs: only the first of them is told.
  const seen = ranked
    .filter(({ count }, index) => ranked.findIndex((other) => other.count === count) === index)
    .slice(0, mostWitnesses)
    .map(({ text }) => text)
  if (here === 0) return [runElsewhere, ...seen]
  // Failures are counted over all projects.
  const failed = here === everywhere && failures > 0 ? `, failed ${nameTimes(failures)}` : ''
  return [...seen, `run ${nameTimes(here)} here${failed}`]
}
