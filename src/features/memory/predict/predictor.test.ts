import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { person } from '../../../contract/outcome.ts'
import type { CommandEvent } from './event.ts'
import { Predictor } from './predictor.ts'
import { runElsewhere } from './reasons.ts'
import { loadPredictor, savePredictor } from './snapshot.ts'
import { trainedWeights } from './weights.ts'

const weights = trainedWeights()

const event = (command: string, more: Partial<CommandEvent> = {}): CommandEvent => ({
  project: 'shop',
  session: 's1',
  agent: 'claude-code',
  cwd: '/work/shop',
  time: 0,
  command,
  exit: 0,
  ...more,
})

const learnt = (events: readonly CommandEvent[]): Predictor => {
  const predictor = new Predictor(weights)
  for (const one of events) predictor.observe(one)
  return predictor
}

/** Sessions that all go the same way. */
const habit = (commands: readonly string[], times: number, project = 'shop'): CommandEvent[] =>
  Array.from({ length: times }, (_, run) =>
    commands.map((command) => event(command, { session: `${project}-${run}`, project })),
  ).flat()

const workday = ['git pull', 'npm ci', 'npm run lint', 'npm test', 'git add -A', 'git commit -m "work"', 'git push']

describe('the predictor', () => {
  it('knows what comes next in a project', () => {
    const predictor = learnt([...habit(workday, 8), event('git pull'), event('npm ci')])
    const [first, ...others] = predictor.predict(event(''), 5)
    expect(first).toMatchObject({ text: 'npm run lint', template: 'npm run lint', source: 'history' })
    expect(first?.reasons.length).toBeGreaterThan(0)
    expect(others.every(({ score }) => score < (first?.score ?? 0))).toBe(true)
  })

  it('keeps projects apart', () => {
    const other = habit(['git pull', 'make', 'make check'], 8, 'kernel')
    const predictor = learnt([...habit(workday, 8), ...other, event('git pull')])
    expect(predictor.predict(event(''), 1)[0]?.text).toBe('npm ci')
    predictor.observe(event('git pull', { project: 'kernel', session: 'k' }))
    expect(predictor.predict(event('', { project: 'kernel', session: 'k' }), 1)[0]?.text).toBe('make')
  })

  it('keeps sessions apart', () => {
    const predictor = learnt(habit(workday, 8))
    predictor.observe(event('npm run lint', { session: 'a' }))
    predictor.observe(event('git commit -m "work"', { session: 'b' }))
    expect(predictor.predict(event('', { session: 'a' }), 1)[0]?.text).toBe('npm test')
    expect(predictor.predict(event('', { session: 'b' }), 1)[0]?.text).toBe('git push')
  })

  it('remembers what is run after a failure', () => {
    const failing = ['npm test', 'npm run build', 'npm test']
    const sessions = Array.from({ length: 8 }, (_, run) => [
      ...failing.map((command, place) => event(command, { session: `f${run}`, exit: place === 0 ? 1 : 0 })),
      event('git push', { session: `f${run}` }),
    ]).flat()
    const predictor = learnt([...sessions, event('npm test', { exit: 1 })])
    expect(predictor.predict(event(''), 1)[0]?.text).toBe('npm run build')
  })

  it('fills in words of the session', () => {
    const files = ['a.py', 'b.py', 'c.py', 'd.py', 'e.py', 'f.py']
    const sessions = files.flatMap((file) => [
      event(`vi src/${file}`, { session: file }),
      event(`python src/${file}`, { session: file }),
    ])
    const predictor = learnt([...sessions, event('vi src/new.py')])
    const filled = predictor.predict(event(''), 5).find(({ text }) => text === 'python src/new.py')
    expect(filled?.source).toBe('filled')
  })

  it('completes what is typed: what is likely, then what ran here, then elsewhere', () => {
    const elsewhere = habit(['git bisect start', 'git push --force'], 2, 'kernel')
    const predictor = learnt([...elsewhere, event('git blame a.ts'), ...habit(workday, 8), event('git add -A')])
    const texts = predictor.complete(event(''), 'git ', 10).map(({ text }) => text)
    expect(texts[0]).toBe('git commit -m "work"')
    expect(texts).toContain('git blame a.ts')
    expect(texts.indexOf('git bisect start')).toBeGreaterThan(texts.indexOf('git blame a.ts'))
    expect(predictor.complete(event(''), 'git pul', 3)[0]).toMatchObject({ text: 'git pull', source: 'history' })
    expect(predictor.complete(event(''), 'git pull', 3).map(({ text }) => text)).not.toContain('git pull')
    expect(predictor.complete(event(''), 'nothing like this', 3)).toEqual([])
  })

  it('completes with words of the session', () => {
    const sessions = ['a.py', 'b.py', 'c.py', 'd.py'].flatMap((file) => [
      event(`vi src/${file}`, { session: file }),
      event(`python src/${file}`, { session: file }),
    ])
    const predictor = learnt([...sessions, event('vi src/new.py')])
    const found = predictor.complete(event(''), 'python src/n', 3)
    expect(found.map(({ text, source }) => [text, source])).toEqual([['python src/new.py', 'filled']])
    expect(found[0]?.score).toBeGreaterThan(0)
  })

  it('completes with no words that never stood there', () => {
    const work = ['npm install lodash', 'git checkout main', 'git push origin main', 'git status']
    const predictor = learnt(habit(work, 3).map((one) => ({ ...one, agent: person })))
    for (const one of work.slice(0, 2)) predictor.observe(event(one, { agent: person }))
    const found = predictor.complete(event('', { agent: person }), 'git pu', 5)
    expect(found.map(({ text }) => text)).toEqual(['git push origin main'])
  })

  it('says of a line that it ran only in another project', () => {
    const predictor = learnt([
      ...habit(['git pull', 'make', 'make check'], 4, 'kernel'),
      event('git pull'),
      event('ls'),
    ])
    const firstReasons = new Map(
      [...predictor.predict(event(''), 10), ...predictor.complete(event(''), 'm', 5)].map(({ text, reasons }) => [
        text,
        reasons[0],
      ]),
    )
    expect(firstReasons.get('make')).toBe(runElsewhere)
    expect(firstReasons.get('make check')).toBe(runElsewhere)
    expect(firstReasons.get('git pull')).not.toBe(runElsewhere)
    expect(predictor.complete(event(''), 'git', 1)[0]?.reasons).toContain('run once here')
  })

  it('says why, each reason once and three at most', () => {
    const predictor = learnt([...habit(workday, 8), ...habit(workday, 3, 'kernel'), event('git pull'), event('npm ci')])
    const found = [...predictor.predict(event(''), 10), ...predictor.complete(event(''), 'npm', 5)]
    for (const { reasons } of found) expect([...new Set(reasons)].slice(0, 3)).toEqual(reasons)
    expect(found.flatMap(({ reasons }) => reasons).join()).not.toMatch(/change of this file|this failure|these tools/)
    const typed = predictor.complete(event(''), 'npm run', 1)[0]
    expect(typed?.reasons).toEqual([expect.stringMatching(/^8 of 8 after .* here$/), 'run 8 times here'])
  })

  it('asked again while somebody types, says the same as if asked for the first time', () => {
    const events = [...habit(workday, 4), event('git pull')]
    const asked = learnt(events)
    for (const moment of [event(''), event('', { cwd: '/tmp' }), event('', { edited: ['a.ts'] })]) {
      asked.complete(moment, 'g', 3)
      expect(asked.complete(moment, 'gi', 3)).toEqual(learnt(events).complete(moment, 'gi', 3))
    }
  })

  it('learns the same however often it was asked', () => {
    const ask = (times: number) => {
      const predictor = learnt(habit(workday, 3))
      for (const one of habit(workday, 2, 'again')) {
        for (let time = 0; time < times; time++) predictor.complete(one, 'g', 3)
        predictor.predict(one, 5)
        predictor.observe(one)
      }
      return predictor.predict(event(''), 5)
    }
    expect(ask(3)).toEqual(ask(0))
  })

  it('says probabilities', () => {
    const predictor = learnt([...habit(workday, 5), event('git pull')])
    const scores = predictor.predict(event(''), 20).map(({ score }) => score)
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(scores.reduce((sum, score) => sum + score, 0)).toBeLessThanOrEqual(1.0001)
  })

  it('has nothing to say before the first command', () => {
    expect(new Predictor(weights).predict(event(''), 5)).toEqual([])
  })

  it('takes whatever comes', () => {
    const anything = fc.record({
      command: fc.string({ unit: 'binary', maxLength: 80 }),
      cwd: fc.string(),
      exit: fc.option(fc.integer()),
      session: fc.constantFrom('a', 'b'),
      agent: fc.constantFrom('codex', person, ''),
      error: fc.string(),
      edited: fc.array(fc.string(), { maxLength: 3 }),
      tools: fc.array(fc.string(), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 30 }), (events) => {
        const predictor = new Predictor(weights)
        for (const one of events) {
          expect(predictor.predict(event('', one), 5).length).toBeLessThanOrEqual(5)
          predictor.observe(event('', one))
        }
      }),
      { numRuns: 30 },
    )
  })
})

const dice = (seed: number): ((most: number) => number) => {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % most
  }
}

function mixedUp(events: readonly CommandEvent[]): CommandEvent[] {
  const next = dice(99)
  const commands = events.map(({ command }) => command)
  return events.map((one) => ({ ...one, command: commands.splice(next(commands.length), 1)[0] ?? '' }))
}

/** A history with some order in it, the same for the same seed. */
function madeUp(seed: number, count: number): CommandEvent[] {
  const next = dice(seed)
  return Array.from({ length: count }, (_, index) => {
    const step = next(10) < 7 ? index % workday.length : next(workday.length)
    const command = workday[step] ?? 'ls'
    return event(next(6) === 0 ? `cat src/file${next(9)}.ts` : command, {
      session: `m${Math.floor(index / 21)}`,
      exit: next(9) === 0 ? 1 : 0,
    })
  })
}

const hitsAt1 = (events: readonly CommandEvent[]): number => {
  const predictor = new Predictor(weights)
  let hits = 0
  for (const one of events) {
    if (predictor.predict(one, 1)[0]?.text === one.command) hits++
    predictor.observe(one)
  }
  return hits / events.length
}

const mostFrequentShare = (events: readonly CommandEvent[]): number => {
  const counts = new Map<string, number>()
  for (const { command } of events) counts.set(command, (counts.get(command) ?? 0) + 1)
  return Math.max(...counts.values()) / events.length
}

describe('learning', () => {
  it('is the same each time', () => {
    const run = (): unknown[] => {
      const predictor = new Predictor(weights)
      return madeUp(3, 200).map((one) => {
        const said = predictor.predict(one, 3)
        predictor.observe(one)
        return said
      })
    }
    expect(run()).toEqual(run())
  })

  it('lives from the order: mixed up, a history falls to the most frequent command', () => {
    const events = madeUp(5, 500)
    const control = hitsAt1(mixedUp(events))
    expect(hitsAt1(events)).toBeGreaterThan(control + 0.15)
    expect(control).toBeLessThan(mostFrequentShare(events) + 0.05)
  })

  it('goes on after a snapshot as if nothing had been', () => {
    const events = madeUp(7, 300)
    const predictor = learnt(events.slice(0, 250))
    const copy = loadPredictor(Buffer.concat(savePredictor(predictor)), weights)
    for (const one of events.slice(250)) {
      expect(copy?.predict(one, 5)).toEqual(predictor.predict(one, 5))
      copy?.observe(one)
      predictor.observe(one)
    }
  })

  it('does not take a damaged snapshot', () => {
    const bytes = Buffer.concat(savePredictor(learnt(madeUp(1, 50))))
    for (const damaged of [bytes.slice(0, -3), bytes.slice(0, 40), new Uint8Array(), new Uint8Array(100)])
      expect(loadPredictor(damaged, weights)).toBeUndefined()
  })
})
