/** What the model does beside its scripts: reflexes to texts it receives, and a default reply. */
import { findScript, isReply, parseScript, type Step } from './script.ts'

interface Reflex {
  pattern: RegExp
  steps: Step[]
}

export interface Scenario {
  reflexes: Reflex[]
  fallback: Step[]
}

export const parseScenario = (text: string): Scenario => {
  const scenario: Scenario = { reflexes: [], fallback: parseScript('SAY:ok') }
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    try {
      const [, verb, rest = ''] = /^(on|default)\s+(.*)$/.exec(line) ?? []
      if (verb === 'default') {
        scenario.fallback = parseScript(rest)
        if (!isReply(scenario.fallback.at(-1)))
          throw new Error('the default must end with a step that is a reply, not THINK or WAIT')
      } else if (verb === 'on') scenario.reflexes.push(parseReflex(rest))
      else throw new Error(`expected "on <regex> do <steps>" or "default <steps>", got "${line}"`)
    } catch (error) {
      throw new Error(`scenario line ${index + 1}: ${String(error)}`, { cause: error })
    }
  }
  return scenario
}

/** The steps that a new text calls for: all matches of all reflexes, in the order of the scenario. */
export const findReactions = (scenario: Scenario, newText: string): Step[][] => {
  return scenario.reflexes.flatMap(({ pattern, steps }) =>
    [...newText.matchAll(pattern)].map((match) => {
      // $0 to $9 are replaced in the parsed steps, so that matched text cannot add steps.
      const filled: Step[] = JSON.parse(JSON.stringify(steps), (_, value: unknown) =>
        typeof value === 'string' ? value.replace(/\$(\d)/g, (__, group: string) => match[Number(group)] ?? '') : value,
      )
      return filled
    }),
  )
}

const parseReflex = (source: string): Reflex => {
  for (const { index } of source.matchAll(/ do /g)) {
    const steps = source.slice(index + ' do '.length).trim()
    if (findScript(steps) === steps) {
      return { pattern: new RegExp(source.slice(0, index), 'gm'), steps: parseScript(steps) }
    }
  }
  throw new Error(`expected "on <regex> do <steps>", got "on ${source}"`)
}
