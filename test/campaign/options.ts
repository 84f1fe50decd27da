import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

const modes = ['standin', 'claude', 'powercut', 'hooks'] as const

export interface Options {
  mode: (typeof modes)[number]
  kills: number
  directives: number
  agents: number
  /** Directives that may wait for one agent: enough to fill hook replies, few enough to be on their way when a kill comes. */
  maxWaiting: number
  seed: number
  isControl: boolean
  isJson: boolean
  /** The program that takes the place of Claude Code. */
  standIn: string
}

const usual = {
  standin: { kills: 200, directives: 20_000, agents: 8, maxWaiting: 200 },
  claude: { kills: 24, directives: 300, agents: 3, maxWaiting: 8 },
  powercut: { kills: 20, directives: 0, agents: 0, maxWaiting: 0 },
  hooks: { kills: 100, directives: 0, agents: 0, maxWaiting: 0 },
}

export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      mode: { type: 'string', default: 'standin' },
      kills: { type: 'string' },
      directives: { type: 'string' },
      agents: { type: 'string' },
      seed: { type: 'string' },
      control: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'stand-in': { type: 'string', default: '' },
    },
  })
  const mode = modes.find((one) => one === values.mode)
  if (mode === undefined) throw new Error(`--mode is one of ${modes.join(', ')}.`)
  const { kills, directives, agents, maxWaiting } = usual[mode]
  return {
    mode,
    kills: Number(values.kills ?? kills),
    directives: Number(values.directives ?? directives),
    agents: Number(values.agents ?? agents),
    maxWaiting,
    seed: Number(values.seed ?? randomInt(1_000_000)),
    isControl: values.control,
    isJson: values.json,
    standIn: values['stand-in'],
  }
}
