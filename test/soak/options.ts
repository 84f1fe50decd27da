import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

const hosts = ['stream', 'tmux', 'pty'] as const
const controls = ['none', 'double', 'leak'] as const

export interface Options {
  minutes: number
  seed: number
  /** Stand-in agents, which are headless. */
  agents: number
  /** Agents that are the real Claude Code. */
  real: number
  /** Where the real ones run. */
  host: (typeof hosts)[number]
  /** Something that is wrong on purpose and has to be found. */
  control: (typeof controls)[number]
  isJson: boolean
  /** Puts the result into docs/soak.md. */
  isWritten: boolean
  /** The program that takes the place of Claude Code. */
  standIn: string
}

export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string' },
      agents: { type: 'string', default: '4' },
      real: { type: 'string', default: '2' },
      host: { type: 'string', default: 'tmux' },
      control: { type: 'string', default: 'none' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'stand-in': { type: 'string', default: '' },
    },
  })
  return {
    minutes: Number(values.minutes),
    seed: Number(values.seed ?? randomInt(1_000_000)),
    agents: Number(values.agents),
    real: Number(values.real),
    host: oneOf(hosts, 'host', values.host),
    control: oneOf(controls, 'control', values.control),
    isJson: values.json,
    isWritten: values.write,
    standIn: values['stand-in'],
  }
}

const oneOf = <T extends string>(possible: readonly T[], name: string, value: string): T => {
  const found = possible.find((one) => one === value)
  if (found === undefined) throw new Error(`--${name} is one of ${possible.join(', ')}.`)
  return found
}

/** The command that runs the same again. */
export const commandOf = ({ minutes, seed, agents, real, host }: Options): string =>
  `npm run soak -- --minutes ${minutes} --seed ${seed} --agents ${agents} --real ${real} --host ${host}`
