import { person } from '../../../contract/outcome.ts'
import { LineCache } from '../../../base/shell/line-cache.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import { type Choice, chooseCandidates, collectCandidates } from './candidates.ts'
import { Completions, isPlausible } from './completion.ts'
import type { CommandEvent, Moment, Prediction } from './event.ts'
import { hashText } from './hash.ts'
import { Lexicon } from './lexicon.ts'
import type { Ranker } from './ranker.ts'
import { listReasons } from './reasons.ts'
import { RecentLines } from './recent-lines.ts'
import { readSituation, type Situation } from './situation.ts'
import { makeTemplateRanker, type TemplateRanking, TemplateStage } from './template-stage.ts'
import { makeTextRanker, type TextRanking, TextStage } from './text-stage.ts'
import { Trail } from './trail.ts'
import type { FamilyWeights, Weights } from './weights.ts'

/** Agents and people work differently: each family has its own rankers. */
interface Family {
  readonly template: Ranker
  readonly text: Ranker
}

/** The output of both stages for the next command of a session. */
interface Rankings {
  /** The question and its time: completion asks the same again at each key. */
  readonly question: string
  readonly situation: Situation
  readonly templates: TemplateRanking
  readonly texts: TextRanking
  /** Of the experts on lines. */
  readonly rows: Int32Array
}

const mostSessions = 256
const mostAsked = 64
const mostProjects = 128
const mostLines = 4096
/** Stands for all projects together. */
const everywhere = 0
const templateRate = 0.004
const textRate = 0.008
/** How many reasons are given in addition to the number of runs. */
const reasonsForNext = 2
const reasonsForTyped = 1
const pathPattern = /(?<![\w@./-])\/?[\w@.-]+(?:\/[\w@.-]+)+\.\w{1,5}\b/g
const mostErrorPaths = 4

const makeFamily = ({ template, text }: FamilyWeights): Family => ({
  template: makeTemplateRanker(template.slice()),
  text: makeTextRanker(text.slice()),
})

const listChoices = ({ candidates, probabilities }: TextRanking): Choice[] =>
  candidates.map((candidate, index) => ({ candidate, likely: probabilities[index + 1] ?? 0 }))

/** Learns one command after the other and predicts the next. In memory, without a clock. */
export class Predictor {
  readonly templateStage = new TemplateStage()
  readonly textStage = new TextStage()
  readonly lexicon = new Lexicon()
  readonly sessions = new BoundedMap<string, Trail>(mostSessions)
  readonly recent = new RecentLines(mostProjects, mostLines)
  readonly agents: Family
  readonly people: Family
  readonly #lines = new LineCache()
  /** The last ranking of each session that has not been learnt from yet. */
  readonly #asked = new BoundedMap<string, Rankings>(mostAsked)

  constructor(weights: Weights) {
    this.agents = makeFamily(weights.agent)
    this.people = makeFamily(weights.person)
  }

  /** The next commands, likeliest first. */
  predict(moment: Moment, limit: number): Prediction[] {
    const rankings = this.rank(moment)
    return chooseCandidates(listChoices(rankings.texts), moment.agent !== person, limit).map(
      ({ candidate, likely }) => ({
        text: candidate.source,
        template: candidate.line.template,
        score: likely,
        source: candidate.number === 0 ? 'filled' : 'history',
        reasons: this.#reasons(rankings, candidate.number, reasonsForNext),
      }),
    )
  }

  /** Lines that begin as typed, likeliest first: predicted ones, then those run here last, then elsewhere. */
  complete(moment: Moment, prefix: string, limit: number): Prediction[] {
    const rankings = this.rank(moment)
    const { situation, texts } = rankings
    const found = new Completions(prefix, this.lexicon)
    found.addLikely(listChoices(texts), ({ line, template }) => {
      const known = [...this.textStage.countRunsHere(situation, template).keys()].flatMap((number) => {
        const facts = this.lexicon.texts.value(number)
        return facts === undefined ? [] : [this.#lines.read(facts.source)]
      })
      return isPlausible(line, known, situation.trail)
    })
    found.addRecent(this.recent.starting(hashText(moment.project), prefix), true)
    if (found.size < limit) found.addRecent(this.recent.starting(everywhere, prefix), false)
    return found.best(limit).map(({ source, number, score }) => ({
      text: source,
      template: this.#lines.read(source).template,
      score,
      source: number === 0 ? 'filled' : 'history',
      reasons: this.#reasons(rankings, number, reasonsForTyped),
    }))
  }

  #reasons({ situation, rows }: Rankings, number: number, most: number): string[] {
    const witnesses = this.textStage.panel.witnesses(rows, number)
    const facts = this.lexicon.texts.value(number)
    if (facts === undefined) return listReasons(undefined, witnesses, situation, most)
    // No table remembers all runs of a project: the highest count is right.
    const own = witnesses.filter(({ expert }) => expert.scope === 'project').map(({ count }) => count)
    const byShape = this.textStage.countRunsHere(situation, facts.template).get(number) ?? 0
    const here = Math.max(this.recent.count(situation.project, number), byShape, ...own)
    const runs = { here, everywhere: facts.runs, failures: facts.failures }
    return listReasons(runs, witnesses, situation, most)
  }

  /** Kept until the command comes, to learn from. */
  rank(moment: Moment): Rankings {
    const { project, session, agent, cwd, tools, edited } = moment
    const question = JSON.stringify([this.lexicon.now, project, agent, cwd, tools, edited])
    const asked = this.#asked.get(session)
    if (asked?.question === question) return asked
    const { lexicon, textStage: stage } = this
    const family = this.#family(moment)
    const situation = readSituation(moment, this.#trail(session))
    const findFacts = (number: number) => lexicon.templates.value(number)
    const templates = this.templateStage.rank(family.template, situation, findFacts, lexicon.now)
    const rows = stage.panel.rows(situation)
    const candidates = collectCandidates({ lexicon, lines: this.#lines, stage }, situation, rows, templates)
    const texts = stage.rank(family.text, situation, rows, candidates, templates.probabilities[0] ?? 0)
    const rankings = { question, situation, templates, texts, rows }
    this.#asked.set(session, rankings)
    return rankings
  }

  observe(event: CommandEvent): void {
    const line = this.#lines.read(event.command)
    const trail = this.#trail(event.session)
    const situation = readSituation(event, trail)
    const step = this.lexicon.add(event.command, line, event.exit !== null && event.exit !== 0)
    const asked = this.#asked.get(event.session)
    // Weights are learnt only from predictions that were asked for, so that taking in old history costs little.
    if (asked !== undefined) {
      this.#asked.delete(event.session)
      const { templates, texts } = asked
      const family = this.#family(event)
      const rightTemplate = templates.symbols.indexOf(step.template) + 1
      family.template.learn(templates.matrix, templates.probabilities.length, rightTemplate, templateRate)
      const rightText = texts.candidates.findIndex((candidate) => candidate.line.text === line.text) + 1
      family.text.learn(texts.matrix, texts.probabilities.length, rightText, textRate)
    }
    this.templateStage.learn(situation, step.template, step.stub)
    if (step.text !== 0) {
      this.textStage.learn(situation, step.template, step.text)
      const source = this.lexicon.texts.value(step.text)?.source ?? ''
      this.recent.add(situation.project, step.text, source)
      this.recent.add(everywhere, step.text, source)
    }
    // The next command may name files that were changed, or that the error names.
    const errorPaths = [...(event.error ?? '').matchAll(pathPattern)].slice(0, mostErrorPaths).map(([file]) => file)
    for (const file of [...situation.edited, ...errorPaths]) trail.mention(file, 'path')
    trail.add(step, line, event)
  }

  #trail(session: string): Trail {
    const trail = this.sessions.get(session) ?? new Trail(session)
    this.sessions.set(session, trail)
    return trail
  }

  #family(moment: Moment): Family {
    return moment.agent === person ? this.people : this.agents
  }
}
