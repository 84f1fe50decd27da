import type { ShellLine } from '../../../base/shell/line.ts'
import type { SlotKind } from '../../../base/shell/slots.ts'
import { type Trimming, trimming } from '../../../base/shell/trimming.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import type { CommandEvent } from './event.ts'
import { hashText } from './hash.ts'

/** One command of a session, as numbers. */
export interface Step {
  readonly template: number
  readonly text: number
  /** Hashes of the same, which mean the same in every memory. */
  readonly shapeKey: number
  readonly textKey: number
  readonly stub: number
  readonly program: number
  readonly failed: boolean
}

/** When something last ran in a session, after how many changes, and whether it failed. */
interface Run {
  readonly at: number
  readonly changes: number
  readonly failed: boolean
}

const mostSteps = 6
const mostTrims = 8
const mostWords = 64
const mostRuns = 512
const longestWord = 200
const milestone = /^(?:git (?:commit|push|checkout|switch|merge|rebase|pull)|gh pr)$/
/** Templates of commands that change files. */
export const changesFiles = /<<HEREDOC|^sed -i|^(?:git apply|patch|mv|rm|cp)\b/

/** The part of a trail that is plain numbers, saved in one piece. */
interface Standing {
  position: number
  /** The last failure after which no command with the same stub has succeeded. */
  broken: Step | undefined
  /** Hash of the last command's error; 0 if there was none. */
  error: number
  /** The last commit, push or other end of a piece of work, and the commands since. */
  milestone: number
  sinceMilestone: number
  /** How often files were changed, and the commands since. */
  changes: number
  sinceChange: number
}

/** The history of one session: everything its next command is predicted from. */
export class Trail {
  readonly id: number
  /** Newest first. */
  readonly steps: Step[] = []
  readonly templates = new BoundedMap<number, Run>(mostRuns)
  readonly texts = new BoundedMap<number, Run>(mostRuns)
  /** Changing words of recent commands, newest last. */
  readonly words = new BoundedMap<string, { readonly kind: SlotKind; readonly at: number }>(mostWords)
  /** How recent lines were trimmed, newest first, and the last way for each stub and template. */
  readonly trims: Trimming[] = []
  readonly trimOf = new BoundedMap<number, Trimming>(mostRuns)
  readonly now: Standing = {
    position: 0,
    broken: undefined,
    error: 0,
    milestone: 0,
    sinceMilestone: 0,
    changes: 0,
    sinceChange: 0,
  }

  constructor(session: string) {
    this.id = hashText(session)
  }

  add(step: Step, line: ShellLine, { edited = [], error }: CommandEvent): void {
    const { now } = this
    keepNewest(this.steps, step, mostSteps)
    now.position++
    this.#noteChanges(edited.length)
    const run = { at: now.position, changes: now.changes, failed: step.failed }
    this.templates.set(step.template, run)
    this.texts.set(step.text, run)
    for (const { text, kind } of line.slots) this.mention(text, kind)
    const trim = trimming(line.text)
    keepNewest(this.trims, trim, mostTrims)
    this.trimOf.set(step.stub, trim)
    this.trimOf.set(step.template, trim)
    const isMilestone = milestone.test(line.stub)
    if (isMilestone) now.milestone = step.stub
    now.sinceMilestone = isMilestone ? 0 : now.sinceMilestone + 1
    now.sinceChange++
    if (changesFiles.test(line.template)) this.#noteChanges(1)
    if (step.failed) now.broken = step
    else if (now.broken?.stub === step.stub) now.broken = undefined
    // The first line of the error that has words, up to the first number or path: the rest differs from run to run.
    const told = error?.split('\n').find((candidate) => /[a-z]{3}/i.test(candidate)) ?? ''
    now.error = step.failed && error !== undefined ? hashText(told.replace(/[\d/].*$/, '').slice(0, 60)) : 0
  }

  /** Remembers a word that a later command may contain. */
  mention(text: string, kind: SlotKind): void {
    if (text.length >= 2 && text.length <= longestWord) this.words.set(text, { kind, at: this.now.position })
  }

  save() {
    const { steps, now, trims } = this
    const [templates, texts, words, trimOf] = [[...this.templates], [...this.texts], [...this.words], [...this.trimOf]]
    return { steps, now, trims, templates, texts, words, trimOf }
  }

  load(saved: ReturnType<Trail['save']>): void {
    this.steps.push(...saved.steps)
    this.trims.push(...saved.trims)
    Object.assign(this.now, saved.now)
    for (const [template, run] of saved.templates) this.templates.set(template, run)
    for (const [text, run] of saved.texts) this.texts.set(text, run)
    for (const [word, use] of saved.words) this.words.set(word, use)
    for (const [key, trim] of saved.trimOf) this.trimOf.set(key, trim)
  }

  #noteChanges(count: number): void {
    if (count === 0) return
    this.now.changes += count
    this.now.sinceChange = 0
  }
}

const keepNewest = <Item>(items: Item[], item: Item, most: number): void => {
  items.unshift(item)
  if (items.length > most) items.pop()
}
