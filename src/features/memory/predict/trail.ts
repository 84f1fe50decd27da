import type { ShellLine } from '../../../base/shell/line.ts'
import type { SlotKind } from '../../../base/shell/slots.ts'
import { type Trimming, trimming } from '../../../base/shell/trimming.ts'
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

/** When something last ran in a session, after how many changes, and how it ended. */
export interface Run {
  readonly at: number
  readonly changes: number
  readonly failed: boolean
}

const LOOK_BACK = 6
const MOST_TRIMS = 8
const MOST_WORDS = 64
const MOST_REMEMBERED = 512
const LONGEST_WORD = 200
const MILESTONE = /^(?:git (?:commit|push|checkout|switch|merge|rebase|pull)|gh pr)$/
/** Templates of commands that change files. */
export const CHANGES = /<<HEREDOC|^sed -i|^(?:git apply|patch|mv|rm|cp)\b/

/** The part of a trail that is plain numbers, in one piece. */
interface Standing {
  position: number
  /** The last failure that nothing of the same stub has made good. */
  broken: Step | undefined
  /** What the last command complained of; 0 if it did not. */
  error: number
  /** The last commit, push or other end of a piece of work, and the commands since. */
  milestone: number
  sinceMilestone: number
  /** How often files were changed, and the commands since. */
  changes: number
  sinceChange: number
}

/** What a session has done so far: all that its next command is judged by. */
export class Trail {
  readonly id: number
  /** Newest first. */
  readonly steps: Step[] = []
  readonly templates = new Map<number, Run>()
  readonly texts = new Map<number, Run>()
  /** Changing words of recent commands, newest last. */
  readonly words = new Map<string, { readonly kind: SlotKind; readonly at: number }>()
  /** How recent lines were trimmed, newest first, and the last way for each stub and template. */
  readonly trims: Trimming[] = []
  readonly trimOf = new Map<number, Trimming>()
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

  step(back: number): Step | undefined {
    return this.steps[back]
  }

  add(step: Step, line: ShellLine, event: CommandEvent): void {
    keepNewest(this.steps, step, LOOK_BACK)
    this.now.position++
    this.#noteChanges(event.edited?.length ?? 0)
    this.#noteRun(step)
    for (const slot of line.slots) this.mention(slot.text, slot.kind)
    this.#noteTrimming(step, line)
    this.#noteMilestone(step, line)
    this.now.sinceChange++
    if (CHANGES.test(line.template)) this.#noteChanges(1)
    this.#noteFailure(step, event)
  }

  /** Remembers a word that a later command may speak of. */
  mention(text: string, kind: SlotKind): void {
    if (text.length < 2 || text.length > LONGEST_WORD) return
    remember(this.words, text, { kind, at: this.now.position }, MOST_WORDS)
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

  #noteRun({ template, text, failed }: Step): void {
    const run = { at: this.now.position, changes: this.now.changes, failed }
    remember(this.templates, template, run)
    remember(this.texts, text, run)
  }

  #noteTrimming(step: Step, line: ShellLine): void {
    const trim = trimming(line.text)
    keepNewest(this.trims, trim, MOST_TRIMS)
    remember(this.trimOf, step.stub, trim)
    remember(this.trimOf, step.template, trim)
  }

  #noteMilestone(step: Step, line: ShellLine): void {
    this.now.sinceMilestone++
    if (!MILESTONE.test(line.stub)) return
    this.now.milestone = step.stub
    this.now.sinceMilestone = 0
  }

  #noteFailure(step: Step, event: CommandEvent): void {
    if (step.failed) this.now.broken = step
    else if (this.now.broken?.stub === step.stub) this.now.broken = undefined
    this.now.error = step.failed && event.error !== undefined ? errorSignature(event.error) : 0
  }
}

function keepNewest<Item>(items: Item[], item: Item, most: number): void {
  items.unshift(item)
  if (items.length > most) items.pop()
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most = MOST_REMEMBERED): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

/** The first line of an error that says something, up to what changes from time to time. */
const errorSignature = (error: string): number => {
  const line = error.split('\n').find((candidate) => /[a-z]{3}/i.test(candidate)) ?? ''
  return hashText(line.replace(/[\d/].*$/, '').slice(0, 60))
}
