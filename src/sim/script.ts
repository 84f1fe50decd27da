/** The script language of the scripted model: steps joined by ` ;; ` on one line. See docs/scripted-model.md. */

export type ToolStep = { do: 'RUN'; command: string } | { do: 'CALL'; tool: string; input: Record<string, unknown> }

export type Step =
  | ToolStep
  | { do: 'PAR'; calls: ToolStep[] }
  | { do: 'SAY'; text: string }
  | { do: 'SLOW'; seconds: number; text: string }
  | { do: 'THINK'; text: string }
  | { do: 'ERROR'; status: number; message?: string }
  | { do: 'LIMIT'; retryAfter?: number }
  | { do: 'QUOTA'; seconds: number }
  | { do: 'DROP' }
  | { do: 'WAIT'; name: string }

export class ScriptError extends Error {
  constructor(number: number, source: string, problem: string) {
    super(`script step ${number} "${source.length > 80 ? `${source.slice(0, 79)}…` : source}": ${problem}`)
    this.name = 'ScriptError'
  }
}

const nextStep = ' ;; '
const scriptLine = /^(?:(?:RUN|CALL|PAR|SAY|SLOW|THINK|ERROR|QUOTA|WAIT):|(?:LIMIT(?::\d+)?|DROP)(?= ;; |\s*$))[^\n]*/m
const nextCall = / && (?=RUN:|CALL:)/g

/** The first line of a prompt that is a script. */
export const findScript = (text: string): string | undefined => text.match(scriptLine)?.[0]

export const parseScript = (source: string): Step[] => {
  const steps: Step[] = []
  let rest = source.trim()
  for (;;) {
    const number = steps.length + 1
    const { step, length } = readStep(rest, number)
    steps.push(step)
    rest = rest.slice(length)
    if (rest.trim() === '') return steps
    if (!rest.startsWith(nextStep)) throw new ScriptError(number + 1, rest.trim(), 'expected " ;; " before it')
    rest = rest.slice(nextStep.length).trimStart()
  }
}

export const formatScript = (steps: readonly Step[]): string => steps.map(formatStep).join(nextStep)

/** THINK and WAIT only begin a reply; every other step completes it. */
export const isReply = (step: Step | undefined): step is Step =>
  step !== undefined && step.do !== 'THINK' && step.do !== 'WAIT'

/** The client gets nothing to keep, so it retries or gives up. */
export const isFailure = (step: Step | undefined): boolean =>
  step !== undefined && ['ERROR', 'LIMIT', 'QUOTA', 'DROP'].includes(step.do)

interface Read<T> {
  step: T
  length: number
}

const readStep = (source: string, number: number): Read<Step> => {
  const fail = (problem: string): never => {
    throw new ScriptError(number, untilNextStep(source), problem)
  }
  if (source.startsWith('PAR:')) return readParallel(source, fail)
  if (source.startsWith('CALL:')) return readCall(source, fail)
  const own = untilNextStep(source)
  return { step: plainStep(own.trim(), fail), length: own.length }
}

type Fail = (problem: string) => never

const plainStep = (source: string, fail: Fail): Step => {
  const [, word = '', body] = /^([A-Z]*)(?::(.*))?$/s.exec(source) ?? []
  switch (word) {
    case 'RUN':
      return { do: word, command: body?.trim() || fail('a command is missing') }
    case 'SAY':
    case 'THINK':
      return { do: word, text: body?.trim() || fail('a text is missing') }
    case 'WAIT':
      return { do: word, name: body?.trim() || fail('a name is missing') }
    case 'SLOW': {
      const [, seconds, text] = /^(\d+(?:\.\d+)?):\s*(\S.*)$/s.exec(body ?? '') ?? []
      if (seconds === undefined || text === undefined) return fail('expected SLOW:<seconds>:<text>')
      return { do: 'SLOW', seconds: Number(seconds), text }
    }
    case 'ERROR': {
      const [, status, message] = /^([45]\d\d)(?::\s*(\S.*))?$/s.exec(body ?? '') ?? []
      if (status === undefined) return fail('expected ERROR:<status 400 to 599>[:message]')
      return { do: 'ERROR', status: Number(status), ...(message === undefined ? {} : { message }) }
    }
    case 'LIMIT':
      if (body === undefined) return { do: 'LIMIT' }
      if (!/^\d+$/.test(body)) return fail('expected LIMIT[:<seconds>]')
      return { do: 'LIMIT', retryAfter: Number(body) }
    case 'QUOTA':
      if (body === undefined || !/^\d+$/.test(body)) return fail('expected QUOTA:<seconds>')
      return { do: 'QUOTA', seconds: Number(body) }
    case 'DROP':
      return body === undefined ? { do: word } : fail('takes nothing after it')
    default:
      return fail('unknown step; known are RUN CALL PAR SAY SLOW THINK ERROR LIMIT QUOTA DROP WAIT')
  }
}

const readParallel = (source: string, fail: Fail): Read<Step> => {
  const calls: ToolStep[] = []
  let at = 'PAR:'.length
  for (;;) {
    const rest = source.slice(at)
    const call = rest.startsWith('CALL:') ? readCall(rest, fail) : readRun(rest, fail)
    calls.push(call.step)
    at += call.length
    if (!source.startsWith(' && ', at)) return { step: { do: 'PAR', calls }, length: at }
    at += ' && '.length
  }
}

/** A command of a PAR ends where ` && RUN:` or ` && CALL:` follows, so it may hold ` && ` itself. */
const readRun = (source: string, fail: Fail): Read<ToolStep> => {
  const own = untilNextStep(source).split(nextCall)[0] ?? ''
  const command = own.startsWith('RUN:') ? own.slice('RUN:'.length).trim() : ''
  if (command === '') return fail('PAR takes RUN:<command> and CALL:<Tool>{json} joined by " && "')
  return { step: { do: 'RUN', command }, length: own.length }
}

const readCall = (source: string, fail: Fail): Read<ToolStep> => {
  const [head = '', tool = ''] = /^CALL:([\w-]+)\s*(?=\{)/.exec(source) ?? []
  if (tool === '') return fail('expected CALL:<Tool>{json}')
  const length = jsonEnd(source, head.length)
  try {
    const input: Record<string, unknown> = JSON.parse(source.slice(head.length, length))
    return { step: { do: 'CALL', tool, input }, length }
  } catch (error) {
    return fail(`its JSON is invalid: ${String(error)}`)
  }
}

/** Where the JSON object that starts at `from` ends; the end of the text if it never does. */
const jsonEnd = (text: string, from: number): number => {
  let depth = 0
  for (const token of text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token[0] === '{') depth += 1
    if (token[0] === '}') depth -= 1
    if (depth === 0) return from + token.index + token[0].length
  }
  return text.length
}

const untilNextStep = (source: string): string => {
  const end = source.indexOf(nextStep)
  return end === -1 ? source : source.slice(0, end)
}

const formatStep = (step: Step): string => {
  switch (step.do) {
    case 'RUN':
      return `RUN:${step.command}`
    case 'CALL':
      return `CALL:${step.tool}${JSON.stringify(step.input)}`
    case 'PAR':
      return `PAR:${step.calls.map(formatStep).join(' && ')}`
    case 'SLOW':
      return `SLOW:${step.seconds}:${step.text}`
    case 'ERROR':
      return step.message === undefined ? `ERROR:${step.status}` : `ERROR:${step.status}:${step.message}`
    case 'LIMIT':
      return step.retryAfter === undefined ? 'LIMIT' : `LIMIT:${step.retryAfter}`
    case 'QUOTA':
      return `QUOTA:${step.seconds}`
    case 'DROP':
      return 'DROP'
    case 'WAIT':
      return `WAIT:${step.name}`
    default:
      return `${step.do}:${step.text}`
  }
}
