import { dirname } from 'node:path'
import { type HostKind, hasTerminal } from '../../contract/agent.ts'
import type { Capabilities, Capability, Wake } from '../contract.ts'
import { untried } from '../untried.ts'
import { isAtLeast } from '../version.ts'

export const minVersion = '0.166.0'

/** Versions that every claim below was tried with. */
const provenVersions = [minVersion, '0.169.0']

/** Older ones were not tried: of their hooks nothing is relied on, and a terminal is typed to. */
const isKnown = (version: string): boolean => isAtLeast(version, minVersion)

export const capabilities = (version: string, host: HostKind): Capabilities => ({
  beforeTool: isKnown(version),
  afterTool: isKnown(version),
  afterBatch: false,
  onPrompt: isKnown(version),
  onStart: isKnown(version),
  onStop: isKnown(version),
  deny: isKnown(version),
  ask: false,
  rewrite: isKnown(version),
  wakeIdle: isKnown(version),
  answerPermission: true,
  resume: true,
  fork: true,
  cut: isKnown(version),
  skills: !hasTerminal(host),
  mcp: true,
  headless: true,
  acp: false,
  writesContext: isKnown(version),
  tellsSubagents: true,
  proven: provenVersions.includes(version),
})

export const reasons = (version: string, host: HostKind): Partial<Record<Capability, string>> => ({
  ...(isKnown(version) ? {} : untried('Codex', version, minVersion, 'wakeIdle')),
  ask: "Codex ignores a hook's request to ask and runs the tool, so Rein denies the call instead.",
  afterBatch: 'Codex has no hook after a batch of tools: each tool has its own.',
  acp: 'Codex has a protocol of its own (app-server).',
  ...(hasTerminal(host)
    ? {
        skills:
          "Codex's terminal accepts no extra skill directory for one run; `rein setup` installs the skills where Codex looks.",
      }
    : {}),
})

/** A terminal looks into its queue every ten seconds; a paste would be faster, but this presses no key in any dialog. */
export const wake = (): Wake => ({
  kind: 'command',
  command: ({ program, conversation, transcript }, sentence) => ({
    program,
    args: ['queue', `--thread=${conversation}`, `--message=${sentence}`],
    env: { CODEX_HOME: [1, 2, 3, 4, 5].reduce((path) => dirname(path), transcript) },
  }),
})
