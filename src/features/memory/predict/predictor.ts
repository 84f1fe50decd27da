import { LineCache } from '../../../base/shell/line-cache.ts'
import { CandidateList } from './candidates.ts'
import { type Choice, choose } from './choose.ts'
import { Completions } from './completion.ts'
import { type CommandEvent, type Moment, PERSON, type Prediction } from './event.ts'
import { hashText } from './hash.ts'
import { type Situation, situationOf } from './situation.ts'
import { Lexicon } from './lexicon.ts'
import type { Witness } from './panel.ts'
import { isPlausible } from './plausible.ts'
import type { Ranker } from './ranker.ts'
import { reasonsFor, type Runs } from './reasons.ts'
import { RecentLines } from './recent-lines.ts'
import { Sessions } from './sessions.ts'
import { templateRanker, type TemplateRanking, TemplateStage } from './template-stage.ts'
import { textRanker, type TextRanking, TextStage } from './text-stage.ts'
import type { TextCandidate } from './text-features.ts'
import type { Step, Trail } from './trail.ts'
import type { FamilyWeights, Weights } from './weights.ts'

/** The rankers of one family: agents and people work differently. */
export interface Family {
  readonly template: Ranker
  readonly text: Ranker
}

/** What both stages say of the next command of a session. */
export interface Rankings {
  /** What was asked, and when: who types on asks the same again and again. */
  readonly question: string
  readonly situation: Situation
  readonly templates: TemplateRanking
  readonly texts: TextRanking
  /** Of the experts on lines. */
  readonly rows: Int32Array
}

const MOST_SESSIONS = 256
const MOST_ASKED = 64
const MOST_PROJECTS = 128
const MOST_LINES = 4096
/** Stands for all projects together. */
const EVERYWHERE = 0
const TEMPLATE_RATE = 0.004
const TEXT_RATE = 0.008
/** How many reasons beside how often it ran. */
const WITNESSES = 2
const WITNESSES_OF_TYPED = 1

const familyOf = ({ template, text }: FamilyWeights): Family => ({
  template: templateRanker(template.slice()),
  text: textRanker(text.slice()),
})

/** Learns one command after the other and says what comes next. In memory, without a clock. */
export class Predictor {
  readonly templateStage = new TemplateStage()
  readonly textStage = new TextStage()
  readonly lexicon = new Lexicon()
  readonly sessions = new Sessions(MOST_SESSIONS)
  readonly recent = new RecentLines(MOST_PROJECTS, MOST_LINES)
  readonly agents: Family
  readonly people: Family
  readonly #lines = new LineCache()
  /** What was said last in each session and not yet learnt from. */
  readonly #asked = new Map<string, Rankings>()

  constructor(weights: Weights) {
    this.agents = familyOf(weights.agent)
    this.people = familyOf(weights.person)
  }

  /** What comes next, likeliest first. */
  predict(moment: Moment, limit: number): Prediction[] {
    const rankings = this.rank(moment)
    return choose(choicesOf(rankings.texts), moment.agent !== PERSON, limit).map(({ candidate, likely }) => ({
      text: candidate.source,
      template: candidate.line.template,
      score: likely,
      templateScore: candidate.likely,
      source: candidate.number === 0 ? 'filled' : 'history',
      reasons: this.#reasons(rankings, candidate.number, WITNESSES),
    }))
  }

  /** What begins as typed, likeliest first: what may come next, then what ran here last, then elsewhere. */
  complete(moment: Moment, prefix: string, limit: number): Prediction[] {
    const rankings = this.rank(moment)
    const found = new Completions(prefix, this.lexicon)
    found.addLikely(choicesOf(rankings.texts), (candidate) => this.#isPlausible(rankings.situation, candidate))
    found.addRecent(this.recent.starting(hashText(moment.project), prefix), true)
    if (found.size < limit) found.addRecent(this.recent.starting(EVERYWHERE, prefix), false)
    return found.best(limit).map(({ source, number, score }) => ({
      text: source,
      template: this.#lines.read(source).template,
      score,
      templateScore: score,
      source: number === 0 ? 'filled' : 'history',
      reasons: this.#reasons(rankings, number, WITNESSES_OF_TYPED),
    }))
  }

  #isPlausible(situation: Situation, { line, template }: TextCandidate): boolean {
    const known = [...this.textStage.runsHere(situation, template).keys()].flatMap((number) => {
      const facts = this.lexicon.texts.value(number)
      return facts === undefined ? [] : [this.#lines.read(facts.source)]
    })
    return isPlausible(line, known, situation.trail)
  }

  #reasons({ situation, rows }: Rankings, number: number, most: number): string[] {
    const witnesses = this.textStage.panel.witnesses(rows, number)
    return reasonsFor(this.#runs(situation, number, witnesses), witnesses, situation, most)
  }

  /** No table remembers all runs of a project: the one that knows of most is right. */
  #runs(situation: Situation, number: number, witnesses: readonly Witness[]): Runs | undefined {
    const facts = this.lexicon.texts.value(number)
    if (facts === undefined) return undefined
    const own = witnesses.filter(({ expert }) => expert.scope === 'project').map(({ count }) => count)
    const byShape = this.textStage.runsHere(situation, facts.template).get(number) ?? 0
    const here = Math.max(this.recent.count(situation.project, number), byShape, ...own)
    return { here, everywhere: facts.runs, failures: facts.failures }
  }

  /** Kept until the command comes, to learn from. */
  rank(moment: Moment): Rankings {
    const question = questionOf(moment, this.lexicon.now)
    const asked = this.#asked.get(moment.session)
    if (asked?.question === question) return asked
    const rankings = this.#rankings(moment, question)
    this.#keepAsked(moment.session, rankings)
    return rankings
  }

  #rankings(moment: Moment, question: string): Rankings {
    const family = this.#family(moment)
    const situation = situationOf(moment, this.sessions.trail(moment.session))
    const { templates: known, now } = this.lexicon
    const templates = this.templateStage.rank(family.template, situation, (number) => known.value(number), now)
    const rows = this.textStage.panel.rows(situation)
    const candidates = new CandidateList(this.lexicon, this.#lines, templates).collect(this.textStage, situation, rows)
    const texts = this.textStage.rank(family.text, situation, rows, candidates, templates.probabilities[0] ?? 0)
    return { question, situation, templates, texts, rows }
  }

  #keepAsked(session: string, rankings: Rankings): void {
    this.#asked.delete(session)
    this.#asked.set(session, rankings)
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > MOST_ASKED && oldest !== undefined) this.#asked.delete(oldest)
  }

  observe(event: CommandEvent): void {
    const line = this.#lines.read(event.command)
    const trail = this.sessions.trail(event.session)
    const situation = situationOf(event, trail)
    const step = this.lexicon.add(event.command, line, event.exit !== null && event.exit !== 0)
    this.#learnRanking(event, step.template, line.text)
    this.templateStage.learn(situation, step.template, step.stub)
    if (step.text !== 0) this.#learnText(situation, step)
    mentionFiles(trail, situation, event)
    trail.add(step, line, event)
  }

  #learnText(situation: Situation, { template, text }: Step): void {
    this.textStage.learn(situation, template, text)
    const source = this.lexicon.texts.value(text)?.source ?? ''
    this.recent.add(situation.project, text, source)
    this.recent.add(EVERYWHERE, text, source)
  }

  /** Weights are learnt only where somebody asked, so that taking in old history costs little. */
  #learnRanking(event: CommandEvent, template: number, text: string): void {
    const asked = this.#asked.get(event.session)
    if (asked === undefined) return
    this.#asked.delete(event.session)
    const { templates, texts } = asked
    const family = this.#family(event)
    const rightTemplate = templates.symbols.indexOf(template) + 1
    family.template.learn(templates.matrix, templates.probabilities.length, rightTemplate, TEMPLATE_RATE)
    const rightText = texts.candidates.findIndex((candidate) => candidate.line.text === text) + 1
    family.text.learn(texts.matrix, texts.probabilities.length, rightText, TEXT_RATE)
  }

  #family(moment: Moment): Family {
    return moment.agent === PERSON ? this.people : this.agents
  }
}

const questionOf = ({ project, agent, cwd, tools, edited }: Moment, now: number): string =>
  JSON.stringify([now, project, agent, cwd, tools, edited])

const choicesOf = ({ candidates, probabilities }: TextRanking): Choice[] =>
  candidates.map((candidate, index) => ({ candidate, likely: probabilities[index + 1] ?? 0 }))

/** Files that were changed or complained of are words for the next command. */
function mentionFiles(trail: Trail, situation: Situation, event: CommandEvent): void {
  for (const file of [...situation.edited, ...pathsIn(event.error ?? '')]) trail.mention(file, 'path')
}

const PATHS = /(?<![\w@./-])\/?[\w@.-]+(?:\/[\w@.-]+)+\.\w{1,5}\b/g
const pathsIn = (error: string): string[] => [...error.matchAll(PATHS)].slice(0, 4).map(([file]) => file)
