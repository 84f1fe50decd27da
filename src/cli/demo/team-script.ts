/** The task of the demo's team, and what the scripted models of its agents do. The agents that do it are real. */

export const task = 'dates'
export const [lead, first, second] = [`${task}-lead`, `${task}-1`, `${task}-2`] as const

/** The file that both agents need. */
export const shared = 'dates.mjs'

export const files: Record<string, string> = {
  [shared]: '// The dates of the calendar.\n',
  'check.mjs': `import { format, parse } from './${shared}'
console.log(format(parse('2026-02-03')) === '2026-02-03' ? 'ok' : 'wrong')
`,
}

export const spec = `Dates are parsed and printed: \`node check.mjs\` says ok.

- \`parse\` in ${shared}: from a text to a date.
- \`format\` in ${shared}: from a date to a text.
`

/** Short notification times keep the demo short; a long deadline keeps hooks on slow machines. */
export const settings: Record<string, string> = {
  REIN_HOOKS_DEADLINE_MS: '4000',
  REIN_NOTIFY_STARTUP_GRACE_S: '0',
  REIN_NOTIFY_CHECK_S: '1',
  REIN_NOTIFY_COOLDOWN_S: '1',
}

/** Where the models wait until the play lets them go on. */
export const gates = { leaseTaken: 'lease taken', inTheMiddle: 'in the middle' } as const

export const parts = {
  first: `Your part: parse in ${shared}.`,
  second: `Your part: format in ${shared}.`,
  release: `${second} waits for ${shared}: release it when parse is there.`,
  goOn: `${shared} is free: go on with format.`,
} as const

export const said = {
  split: `${first} writes parse, ${second} writes format.`,
  blocker: `${shared} is under a lease of ${first}. When can I have it?`,
  parsed: `parse is there, and ${shared} is free.`,
  printed: 'format is there.',
  report: `@user Dates are parsed and printed: node check.mjs says`,
} as const

export const code = {
  parse: 'export const parse = (text) => new Date(text)',
  format: 'export const format = (date) => date.toISOString().slice(0, 10)',
} as const

const tell = (handle: string, text: string): string => `RUN:rein tell ${handle} '${text}'`
const message = (kind: string, text: string): string => `RUN:rein task report ${kind} '${text}'`
const append = (line: string): string => `RUN:echo '${line}' >> ${shared}`
const on = (text: string, ...steps: string[]): string => `on ${text} do ${steps.join(' ;; ')}`
/** What stands in a directive, line by line; what others say of it does not. */
const told = (text: string): string => String.raw`^\| ${text}`
const event = (kind: string, from: string): string => String.raw`(evt_[0-9a-f-]+) \w+ ${kind} from agent ${from}`

/** Every directive is acknowledged; the other lines say who does what, when. */
export const scenario = [
  String.raw`on rein-directive id=(?:"|&quot;)(dir_[0-9a-f-]+) do RUN:rein ack $1`,
  on(
    `You are ${lead}, the lead`,
    tell(first, parts.first),
    tell(second, parts.second),
    `RUN:rein chat send ${task} '${said.split}'`,
  ),
  on(
    told(parts.first),
    `RUN:rein lease take ${shared} --why parse`,
    'RUN:true',
    `WAIT:${gates.inTheMiddle}`,
    'SAY:Nobody hears this.',
  ),
  on(told(parts.second), `WAIT:${gates.leaseTaken}`, append(code.format)),
  on(String.raw`this would change [^\n]*${first} holds ${shared}`, message('blocker', said.blocker)),
  on(String.raw`id="(dir_[0-9a-f-]+)"[^]*?Events on the bus that wait for you`, 'RUN:rein bus read # $1'),
  on(event('blocker', second), tell(first, parts.release), 'RUN:rein bus ack $1'),
  on('you were restarted after a crash', append(code.parse)),
  on(told(parts.release), `RUN:rein lease release ${shared}`, message('review-request', said.parsed)),
  on(event('review-request', first), tell(second, parts.goOn), 'RUN:rein bus ack $1'),
  on(told(parts.goOn), append(code.format), message('review-request', said.printed)),
  on(
    event('review-request', second),
    'RUN:rein bus ack $1',
    `RUN:rein chat send ${task} "${said.report} $(node check.mjs)."`,
  ),
].join('\n')
